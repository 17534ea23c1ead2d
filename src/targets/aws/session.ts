import { untilAborted } from '../until-aborted.js';
import type { FailureKind } from './failure-names.js';
import { failureOf } from './failure.js';

const staleCredentials: ReadonlySet<FailureKind> = new Set(['expired', 'unauthenticated', 'denied']);
const repeatable: ReadonlySet<FailureKind> = new Set(['expired', 'clock_skew', 'bad_signature']);

/**
 * A client that is created at the first call, and again after its credentials have expired or were refused. It never
 * closes sockets: they belong to the shared request handler.
 */
export class Session<Client> {
  private client: Promise<Client> | undefined;

  constructor(private readonly open: () => Promise<Client>) {}

  /**
   * Makes one call. Repeats it once for each error code: with new credentials if they have expired, with the same
   * client after a refused time or signature. That client then signs with the time of the vendor's response. So the
   * secret is wrong if the signature is refused again, whatever the clock of this service. (The SDK's
   * `clockSkewCorrected` does not tell: with a wrong clock it is set on every error.) Rejects as soon as `signal`
   * aborts.
   * @throws what the client throws
   */
  async call<Response>(run: (client: Client) => Promise<Response>, signal: AbortSignal): Promise<Response> {
    const repeated = new Set<string>();
    for (;;) {
      const opened = this.client ?? this.openClient();
      try {
        return await untilAborted(opened.then(run), signal);
      } catch (error) {
        if (signal.aborted) throw error;
        const { kind, code } = failureOf(error);
        // A client caches its credentials for up to an hour, also when their role is recreated or its sessions revoked.
        if (staleCredentials.has(kind)) this.drop(opened);
        if (!repeatable.has(kind) || repeated.has(code)) throw error;
        repeated.add(code);
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
