/**
 * The order of a shutdown. What belongs to one phase closes side by side; a phase begins when the one before has ended.
 * A start that fails closes what it opened in the same order.
 */
export const closingPhases = [
  'watchdog',
  /** Requests, the data plane and the workers: each has the whole SHUTDOWN_DEADLINE_MS. */
  'work',
  /** What the last of these dispatched. */
  'dispatch',
  'queues',
  'keys',
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

/**
 * Opens and closes the parts of a service. Nest's own shutdown hooks run module by module and swallow errors; a
 * shutdown needs requests and workers to end at the same time, and its errors (docs/decisions/composition.md).
 */
export class Lifecycle {
  private readonly parts: { readonly phase: ClosingPhase; readonly close: () => unknown }[] = [];
  private readonly opening = new Set<Promise<unknown>>();
  private readonly starters: (() => Promise<unknown>)[] = [];
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
      this.parts.unshift({ phase, close: () => close(part) });
      return part;
    });
    this.opening.add(opening);
    return opening.finally(() => this.opening.delete(opening));
  }

  /** Registers a part that is opened when the service listens: it may need the address. */
  openWhenListening<Part>(phase: ClosingPhase, open: () => Part | Promise<Part>, close: (part: Part) => unknown): void {
    this.starters.push(() => this.open(phase, open, close));
  }

  /** Opens the parts that wait for the service to listen. @throws what the first of them throws */
  async listening(): Promise<void> {
    for (const start of this.starters) await start();
  }

  /**
   * Closes every part, in the order of the phases; also those that are still being opened. A part that fails to close
   * does not keep the others from closing.
   * @throws the first error of a part
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
    if (errors.length > 0) throw errors[0];
  }
}
