import { readFile } from 'node:fs/promises';
import type { ClientSecretCredentialOptions } from '@azure/identity';
import type { TargetSettings } from '../target.js';
import { cloudOf } from './config.js';
import type { LogIngestionConfig } from './config.js';
import { TokenWatch, WatchedCredential } from './credential.js';
import type { Row } from './encode.js';

/** A client of the ingestion service, with the token it has. */
export interface IngestionClient {
  /**
   * Makes one call with these rows, which are within the limits of one.
   * @throws RestError for an answer other than 204 or a broken connection, TokenError when there is no token for the call. May
   *   resolve when `signal` aborts: ask the signal.
   */
  upload(rows: readonly Row[], signal: AbortSignal): Promise<void>;
}

/**
 * Opens a client; no network yet. The two packages are loaded here, when the first batch is sent: 0.4 s that a process which sends
 * nothing to Azure does not pay.
 *
 * - No retries in client or credential: the client's would wait out a Retry-After inside the call.
 * - No redirects: the token and the secret go to the hosts that were meant, or nowhere.
 * - The authority is ours to name, so the library's instance discovery, which asks a third host about it, is off.
 */
export async function openClient(
  config: LogIngestionConfig,
  clientSecret: string,
  settings: TargetSettings,
): Promise<IngestionClient> {
  const [{ ClientSecretCredential }, { LogsIngestionClient }] = await Promise.all([
    import('@azure/identity'),
    import('@azure/monitor-ingestion'),
  ]);
  const { audience, authority } = cloudOf(config.logs_ingestion_uri);
  const watch = new TokenWatch(settings.sendTimeoutMs);
  const connection = {
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    ...(settings.logIngestionCaFile !== undefined && {
      tlsOptions: { ca: await authorityIn(settings.logIngestionCaFile) },
    }),
  };
  const credentialOptions: ClientSecretCredentialOptions = {
    ...connection,
    authorityHost: settings.logIngestionAuthority ?? authority,
    disableInstanceDiscovery: true,
    additionalPolicies: [watch.policy],
  };
  const credential = new ClientSecretCredential(
    config.tenant_id,
    config.client_id,
    clientSecret,
    credentialOptions,
  );
  const endpoint = (settings.logIngestionEndpoint ?? config.logs_ingestion_uri).replace(/\/+$/, '');
  const client = new LogsIngestionClient(endpoint, new WatchedCredential(credential, watch), {
    ...connection,
    audience,
  });

  return {
    async upload(rows, signal) {
      const causes: Error[] = [];
      try {
        await client.upload(config.data_collection_rule_id, config.data_collection_stream_name, [...rows], {
          abortSignal: signal,
          maxConcurrency: 1,
          onError: ({ cause }) => causes.push(cause),
        });
      } catch (error) {
        // The client's own error is an aggregate that carries the rows: its cause is what may be looked at.
        throw causes[0] ?? error;
      }
    },
  };
}

/** A file that the operator has named and that cannot be read: no fault of the destination's. */
export class AuthorityFileError extends Error {
  override readonly name = 'AuthorityFileError';
}

async function authorityIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AuthorityFileError(`LOG_INGESTION_CA_FILE cannot be read: ${file}`, { cause });
  }
}
