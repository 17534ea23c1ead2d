import { provide, tokenOf, type Provider } from './provide.js';

/**
 * The order of a shutdown. The parts of one phase close concurrently; a phase begins when the phase before has ended. A
 * start that fails closes what it opened in the same order.
 */
export const closingPhases = [
  'watchdog',
  /** Requests, the data plane and the workers. Requests and batches have the whole SHUTDOWN_DEADLINE_MS. */
  'work',
  /** The dispatcher adds the jobs of the last changes. */
  'dispatch',
  /** Queues, and the connection of the rate limiter. */
  'queues',
  'keys',
  /** The locks that show other processes what this one does. */
  'session',
  'database',
  /** Last, also after a failure: the last spans describe the failure. */
  'traces',
] as const;
export type ClosingPhase = (typeof closingPhases)[number];

/** What the service tells the process that it runs in, and how that process stops it. */
export interface ServiceHost {
  /** Aborts when the process is asked to stop. A start that is under way ends soon after. */
  readonly stop?: AbortSignal;
  /** Called when the service cannot continue. The process must end, and its supervisor must start it again. */
  readonly fail?: (error: Error) => void;
  /** Receives the API key that the very first start creates. It is never shown again. */
  readonly showKey?: (token: string) => void;
}

/** What runs from the moment when the service listens: it may need the address. */
export interface Runner {
  /** @throws when it cannot run */
  start(): void | Promise<void>;
  stop(): Promise<void>;
}
/** The injection token of the runners of a process, in the order of their start. */
export const RUNNERS = tokenOf<readonly Runner[]>('Runners');

/**
 * Opens and closes the parts of a service. Nest's own shutdown hooks run one module after another, and Nest only logs
 * their errors. Requests and workers must end concurrently, and a failed close must end the process with code 1
 * (docs/decisions/composition.md).
 */
export class Lifecycle {
  private readonly parts: { readonly phase: ClosingPhase; readonly close: () => unknown }[] = [];
  private readonly opening = new Set<Promise<unknown>>();
  private closed: Promise<void> | undefined;

  constructor(readonly host: ServiceHost = {}) {}

  /**
   * Opens a part and registers how it is closed.
   * @returns what `open` returns
   * @throws what `open` throws; the reason of `host.stop` when that has aborted
   */
  async open<Part>(
    phase: ClosingPhase,
    open: () => Part | Promise<Part>,
    close: (part: Part) => unknown,
  ): Promise<Part> {
    this.host.stop?.throwIfAborted();
    if (this.closed) throw new Error('The service is closing.');
    const opening = Promise.resolve(open()).then((part) => {
      this.parts.push({ phase, close: () => close(part) });
      return part;
    });
    this.opening.add(opening);
    return opening.finally(() => this.opening.delete(opening));
  }

  /** Starts runners one by one. @throws what the first of them throws; the next ones are not started */
  async run(runners: readonly Runner[]): Promise<void> {
    for (const runner of runners) {
      await this.open(
        'work',
        () => runner.start(),
        () => runner.stop(),
      );
    }
  }

  /** Whether `close` was called. */
  get closing(): boolean {
    return this.closed !== undefined;
  }

  /**
   * Closes every part, in the order of the phases; also those that are still being opened. A part that fails to close
   * does not keep the others from closing.
   * @throws the error of a part; AggregateError when several failed
   */
  close(): Promise<void> {
    this.closed ??= this.closeParts();
    return this.closed;
  }

  private async closeParts(): Promise<void> {
    await Promise.allSettled(this.opening);
    const errors: unknown[] = [];
    for (const phase of closingPhases) {
      const parts = this.parts.filter((part) => part.phase === phase);
      const results = await Promise.allSettled(parts.map(async ({ close }) => close()));
      for (const result of results) if (result.status === 'rejected') errors.push(result.reason);
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts could not be closed.');
    if (errors.length > 0) throw errors[0];
  }
}

/** Opens the part of a provider, and closes it in a phase of the shutdown. */
export function opened<Part>(
  phase: ClosingPhase,
  { provide: key, inject, useFactory }: Provider<Part>,
  close: (part: Part) => unknown,
): Provider<Part> {
  return provide(key, [Lifecycle, ...inject], (lifecycle, ...parts) =>
    lifecycle.open(phase, () => useFactory(...parts), close),
  );
}
