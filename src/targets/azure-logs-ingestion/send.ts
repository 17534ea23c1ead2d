import { forEvery } from '../bisect.js';
import type { CallAnswer } from '../bisect.js';
import type { TargetSettings } from '../target.js';
import { AuthorityFileError, openClient } from './client.js';
import type { IngestionClient } from './client.js';
import type { LogIngestionConfig } from './config.js';
import { TokenError } from './credential.js';
import type { Row } from './encode.js';
import { answerOf, readError } from './errors.js';

/**
 * Makes the calls of one destination, with one client that lasts until it is refused a token or its token is refused: it is dropped
 * then, and with it the token, and the minute for which the library would not ask a token service again that had failed.
 */
export class Ingestion {
  private opened: Promise<IngestionClient> | undefined;

  constructor(
    private readonly config: LogIngestionConfig,
    private readonly clientSecret: string,
    private readonly settings: TargetSettings,
  ) {}

  /**
   * One call with these rows; after a 401 once more, with a fresh token.
   * @throws AuthorityFileError
   */
  async submit(rows: readonly Row[], signal: AbortSignal): Promise<CallAnswer> {
    try {
      await this.upload(rows, signal).catch((error: unknown) => {
        if (!isUnauthorized(error)) throw error;
        return this.upload(rows, signal);
      });
      return forEvery(rows, { kind: 'delivered' });
    } catch (error) {
      if (error instanceof AuthorityFileError) throw error;
      return readError(rows, error, signal);
    }
  }

  private async upload(rows: readonly Row[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.opened ??= openClient(this.config, this.clientSecret, this.settings);
    const { opened } = this;
    let client: IngestionClient | undefined;
    try {
      client = await opened;
      await untilAborted(client.upload(rows, signal), signal);
    } catch (error) {
      const useless = !client || error instanceof TokenError || isUnauthorized(error);
      if (useless && this.opened === opened) this.opened = undefined;
      throw error;
    }
  }
}

function isUnauthorized(error: unknown): boolean {
  return answerOf(error)?.status === 401;
}

/**
 * Waits for `work`, but not beyond the signal: while the client waits for a token it does not listen to it, and a call that it
 * was told to abort may end as if nothing had happened.
 */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    over.abort();
  }
  signal.throwIfAborted();
}
