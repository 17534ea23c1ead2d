import { untilAborted } from '../until-aborted.js';
import { failureOf } from './failure.js';

/**
 * A client that is created at the first call, and again when its credentials have expired. It never closes sockets:
 * they belong to the shared request handler.
 */
export class Session<Client> {
  private client: Promise<Client> | undefined;

  constructor(private readonly open: () => Promise<Client>) {}

  /**
   * Makes one call. Repeats it once, with new credentials if they have expired or with the corrected time after clock
   * skew. Rejects as soon as `signal` aborts.
   * @throws what the client throws
   */
  async call<Response>(run: (client: Client) => Promise<Response>, signal: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const opened = this.client ?? this.openClient();
      try {
        return await untilAborted(opened.then(run), signal);
      } catch (error) {
        const { kind } = failureOf(error, signal);
        // A client caches its credentials, the expired ones too.
        if (kind === 'expired') this.drop(opened);
        if (attempt > 1 || (kind !== 'expired' && kind !== 'clock_skew')) throw error;
      }
    }
  }

  /** Drops the client. */
  close(): void {
    this.client = undefined;
  }

  private openClient(): Promise<Client> {
    const opened = this.open();
    this.client = opened;
    // The caller sees the error; the next call opens another client.
    opened.catch(() => this.drop(opened));
    return opened;
  }

  private drop(client: Promise<Client>): void {
    if (this.client === client) this.client = undefined;
  }
}
