/**
 * The order of a shutdown. The parts of one phase close concurrently; a phase begins when the phase before has ended. A
 * start that fails closes what it opened in the same order.
 */
export const closingPhases = [
  'watchdog',
  /** Requests, the data plane and the workers. Requests and batches have the whole SHUTDOWN_DEADLINE_MS. */
  'work',
  /** The dispatcher and the certificate jobs add the jobs of the last changes. */
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

/**
 * Opens and closes the parts of a service. Nest's own shutdown hooks run one module after another, and Nest only logs
 * their errors. Requests and workers must end concurrently, and a failed close must end the process with code 1
 * (docs/decisions/composition.md).
 */
export class Lifecycle {
  private readonly parts: { readonly phase: ClosingPhase; readonly close: () => unknown }[] = [];
  private readonly opening = new Set<Promise<unknown>>();
  private readonly deferred: (() => Promise<unknown>)[] = [];
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

  /**
   * Registers a part that is opened when the service listens: it may need the address. To be called in `onModuleInit`:
   * Nest runs those hooks one by one, but factories concurrently. So the data plane's port opens before a worker takes
   * jobs.
   */
  openWhenListening<Part>(phase: ClosingPhase, open: () => Part | Promise<Part>, close: (part: Part) => unknown): void {
    this.deferred.push(() => this.open(phase, open, close));
  }

  /** Opens the parts that wait for the service to listen. @throws what the first of them throws */
  async openDeferred(): Promise<void> {
    for (const start of this.deferred) await start();
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
