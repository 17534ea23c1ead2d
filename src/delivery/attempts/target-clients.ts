import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import { ThrottledLog } from '../../logging/throttled-log.js';
import { targetKinds, type Target, type TargetKind } from '../../targets/target.js';
import { backoffMs } from '../../timing/backoff.js';

/** The injection token of the function that returns the target of a kind. */
export const TARGET_OF = tokenOf<(kind: TargetKind) => Target>('targetOf');

/** State of a vendor's client in this process. A failed load is repeated. */
export type ClientState = 'loading' | 'failed' | 'loaded';

/** A client that this process has begun to load. */
export interface ClientReport {
  readonly kind: TargetKind;
  readonly state: ClientState;
  /** Duration of the load, in milliseconds; null until it has succeeded. */
  readonly loadMs: number | null;
}

/** Backoff of a failed load, in milliseconds. */
const RETRY = { baseMs: 1_000, capMs: 60_000 };

/**
 * Interval between reads of the kinds in use, in milliseconds: the most that a client is late whose first destination
 * another process saved. Longer where a read is slow, so that the reads take a twentieth of the time at most.
 */
const READ_INTERVAL = { leastMs: 1_000, mostMs: 5_000, perReadMs: 20 };

/**
 * The vendors' clients of a process: loads the client of each kind of target that has a destination, before the first
 * job of that kind is taken. Loads nothing until a worker starts it. docs/decisions/composition.md has the reasons.
 */
export class TargetClients {
  private readonly reports = new Map<TargetKind, ClientReport>();
  private readonly listeners = new Set<(kind: TargetKind) => void>();
  private readonly errors: ThrottledLog;
  private workers = 0;

  constructor(
    private readonly targetOf: (kind: TargetKind) => Pick<Target, 'loadClient'>,
    private readonly logger: Logger,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Returns the clients that this process has begun to load. */
  report(): readonly ClientReport[] {
    return [...this.reports.values()];
  }

  /** A destination of this kind was saved: loads its client, if a worker runs in this process. */
  announce(kind: TargetKind): void {
    if (this.workers > 0) this.begin(kind);
  }

  /**
   * Loads the clients of the kinds in use, now and whenever another kind gets its first destination.
   * @param kindsInUse returns the kinds of target that have destinations or jobs
   * @param onLoaded called once for each kind when its client is loaded
   * @returns a function after which `onLoaded` is not called
   */
  start(kindsInUse: () => Promise<readonly TargetKind[]>, onLoaded: (kind: TargetKind) => void): () => void {
    this.workers += 1;
    this.listeners.add(onLoaded);
    for (const { kind, state } of this.report()) if (state === 'loaded') onLoaded(kind);
    const stopped = new AbortController();
    void this.watch(kindsInUse, stopped.signal);
    return () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      this.workers -= 1;
      this.listeners.delete(onLoaded);
    };
  }

  private async watch(kindsInUse: () => Promise<readonly TargetKind[]>, signal: AbortSignal): Promise<void> {
    const { leastMs, mostMs, perReadMs } = READ_INTERVAL;
    while (!signal.aborted && this.reports.size < targetKinds.length) {
      const begun = performance.now();
      try {
        const kinds = await kindsInUse();
        if (signal.aborted) return;
        for (const kind of kinds) this.begin(kind);
      } catch (error) {
        this.errors.warn(error, 'cannot read which kinds of target have destinations; trying again');
      }
      const waitMs = Math.min(Math.max(leastMs, perReadMs * (performance.now() - begun)), mostMs);
      await pause(waitMs);
    }
  }

  /** Begins to load a client, unless that has begun before. */
  private begin(kind: TargetKind): void {
    if (!this.reports.has(kind)) void this.load(kind);
  }

  private async load(kind: TargetKind): Promise<void> {
    for (let failures = 0; ;) {
      this.reports.set(kind, { kind, state: 'loading', loadMs: null });
      this.logger.info({ kind }, 'loading the client of a target');
      const begun = performance.now();
      try {
        await this.targetOf(kind).loadClient();
        const loadMs = performance.now() - begun;
        this.reports.set(kind, { kind, state: 'loaded', loadMs });
        this.logger.info({ kind, duration_ms: Math.round(loadMs) }, 'the client of a target is loaded');
        break;
      } catch (error) {
        failures += 1;
        this.reports.set(kind, { kind, state: 'failed', loadMs: null });
        const delayMs = backoffMs(RETRY, failures, 0);
        this.logger.warn(
          { err: error, kind, backoff_ms: delayMs },
          'cannot load the client of a target; its deliveries wait, and the load is repeated',
        );
        await pause(delayMs);
      }
    }
    for (const listener of this.listeners) listener(kind);
  }
}

/** Waits, without keeping the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
