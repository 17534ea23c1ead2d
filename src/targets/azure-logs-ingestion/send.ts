import { type CallResult, sameOutcome } from '../bisect.js';
import type { TargetSettings } from '../target.js';
import { untilAborted } from '../until-aborted.js';
import { AuthorityFileError, openClient, type IngestionClient } from './client.js';
import type { LogIngestionConfig } from './config.js';
import { TokenError } from './credential.js';
import type { Row } from './encode.js';
import { errorResult, responseOf } from './errors.js';

/**
 * Makes the calls of one destination with one client. Drops the client when it gets no token, or its token is refused:
 * that drops the cached token, and the minute for which the library does not call a failed token service again.
 */
export class Ingestion {
  private opened: Promise<IngestionClient> | undefined;

  constructor(
    private readonly config: LogIngestionConfig,
    private readonly clientSecret: string,
    private readonly settings: TargetSettings,
  ) {}

  /**
   * Makes one call, and a second one with a new token after a 401.
   * @throws AuthorityFileError when the operator's CA file cannot be read
   */
  async submit(rows: readonly Row[], signal: AbortSignal): Promise<CallResult> {
    try {
      await this.upload(rows, signal).catch((error: unknown) => {
        if (!isUnauthorized(error)) throw error;
        return this.upload(rows, signal);
      });
      return sameOutcome(rows, { kind: 'delivered' });
    } catch (error) {
      if (error instanceof AuthorityFileError) throw error;
      return errorResult(rows, error, signal);
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
      const unusable = !client || error instanceof TokenError || isUnauthorized(error);
      if (unusable && this.opened === opened) this.opened = undefined;
      throw error;
    }
  }
}

function isUnauthorized(error: unknown): boolean {
  return responseOf(error)?.status === 401;
}
