import { readFile } from 'node:fs/promises';
import type { ClientSecretCredentialOptions } from '@azure/identity';
import type { TargetSettings } from '../target.js';
import { cloudOf, type LogIngestionConfig } from './config.js';
import { TokenErrorPolicy, ReportingCredential } from './credential.js';
import type { Row } from './encode.js';
import type * as vendor from './vendor.js';

/** A client of the ingestion service. */
export interface IngestionClient {
  /**
   * Makes one call with these rows, which must be within its limits. May resolve after `signal` aborted.
   * @throws RestError for a response other than 204 or a broken connection, TokenError when there is no token for the
   * call
   */
  upload(rows: readonly Row[], signal: AbortSignal): Promise<void>;
}

/** Loads the vendor's client. Node loads it once. Call it only where a destination of this kind exists. */
export function loadSdk(): Promise<typeof vendor> {
  return import('./vendor.js');
}

/**
 * Opens a client without a network call, and loads the vendor's client before.
 *
 * - No retries in client or credential: the client would wait for a Retry-After within the call.
 * - No redirects: the token and the secret reach their own hosts only.
 * - No instance discovery, which would call a third host: the authority is known.
 */
export async function openClient(
  config: LogIngestionConfig,
  clientSecret: string,
  settings: TargetSettings,
): Promise<IngestionClient> {
  const { ClientSecretCredential, LogsIngestionClient } = await loadSdk();
  const { audience, authority } = cloudOf(config.logs_ingestion_uri);
  const tokenErrors = new TokenErrorPolicy(settings.sendTimeoutMs);
  const connection = {
    retryOptions: { maxRetries: 0 },
    redirectOptions: { maxRetries: 0 },
    ...(settings.logIngestionCaFile !== undefined && {
      tlsOptions: { ca: await readAuthority(settings.logIngestionCaFile) },
    }),
  };
  const credentialOptions: ClientSecretCredentialOptions = {
    ...connection,
    authorityHost: settings.logIngestionAuthority ?? authority,
    disableInstanceDiscovery: true,
    additionalPolicies: [tokenErrors.policy],
  };
  const credential = new ClientSecretCredential(config.tenant_id, config.client_id, clientSecret, credentialOptions);
  const endpoint = (settings.logIngestionEndpoint ?? config.logs_ingestion_uri).replace(/\/+$/, '');
  const client = new LogsIngestionClient(endpoint, new ReportingCredential(credential, tokenErrors), {
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
        // The client's own error is an aggregate that holds the rows; its cause does not.
        throw causes[0] ?? error;
      }
    },
  };
}

/** Thrown when LOG_INGESTION_CA_FILE cannot be read: the operator's error, not the destination's. */
export class AuthorityFileError extends Error {
  override readonly name = 'AuthorityFileError';
}

async function readAuthority(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new AuthorityFileError(`LOG_INGESTION_CA_FILE cannot be read: ${file}`, { cause });
  }
}
