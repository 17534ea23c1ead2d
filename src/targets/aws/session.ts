import { failureOf } from './failure.js';

/**
 * A client that is opened when it is first needed and made anew when its credentials have expired. Leaves the sockets alone:
 * they belong to the shared handler.
 */
export class Session<Client> {
  private client: Promise<Client> | undefined;

  constructor(private readonly open: () => Promise<Client>) {}

  /**
   * Runs one call. Expired credentials are renewed, and a wrong clock corrected, once within it; throws what the client throws
   * then. Throws as soon as `signal` aborts, whatever the client is waiting for (the SDKs do not end the wait for credentials).
   */
  async call<Answer>(run: (client: Client) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const opened = this.client ?? this.openClient();
      try {
        return await untilAborted(opened.then(run), signal);
      } catch (error) {
        const { kind } = failureOf(error, signal);
        // A client caches its credentials: the same one would give the expired ones again.
        if (kind === 'expired') this.drop(opened);
        if (attempt > 1 || (kind !== 'expired' && kind !== 'skewed')) throw error;
      }
    }
  }

  /** Forgets the client. */
  close(): void {
    this.client = undefined;
  }

  private openClient(): Promise<Client> {
    const opened = this.open();
    this.client = opened;
    // What could not be opened is not kept; the caller sees why.
    opened.catch(() => this.drop(opened));
    return opened;
  }

  private drop(client: Promise<Client>): void {
    if (this.client === client) this.client = undefined;
  }
}

/** Rejects with the signal's reason when it aborts first. */
async function untilAborted<Answer>(work: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
