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
   * Makes one call with these rows, which must be within its limits.
   * @throws RestError for a response other than 204 or a broken connection, TokenError when there is no token for the
   * call
   */
  upload(rows: readonly Row[], signal: AbortSignal): Promise<void>;
}

/** Loads the vendor's client. Node loads it once. Call it only where a destination of this kind exists. */
export function loadSdk(): Promise<typeof vendor> {
  return import('./vendor.js');
}

/** One call of the service; the client's pipeline adds the version of the API. */
const CALL_PATH = '/dataCollectionRules/{ruleId}/streams/{stream}';

/**
 * Opens a client without a network call, and loads the vendor's client before.
 *
 * - Rows are sent as text through the client's pipeline, which adds the token and compresses. The client's `upload`
 *   takes objects: parsed, an event of many small values takes over ten times its bytes in memory.
 * - No retries in client or credential: the client would wait for a Retry-After within the call.
 * - No redirects: the token and the secret reach their own hosts only.
 * - No instance discovery, which would call a third host: the authority is known.
 */
export async function openClient(
  config: LogIngestionConfig,
  clientSecret: string,
  settings: TargetSettings,
): Promise<IngestionClient> {
  const { ClientSecretCredential, LogsIngestionClient, createRestError, getClient } = await loadSdk();
  const { audience, authority } = cloudOf(config.logs_ingestion_uri);
  // Half of the time: the call ends with an error of the token then, not with that of a target that does not respond.
  const tokenErrors = new TokenErrorPolicy(settings.sendTimeoutMs / 2);
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
  const { pipeline } = new LogsIngestionClient(endpoint, new ReportingCredential(credential, tokenErrors), {
    ...connection,
    audience,
  });
  const service = getClient(endpoint, { pipeline });
  const call = service.pathUnchecked(CALL_PATH, config.data_collection_rule_id, config.data_collection_stream_name);

  return {
    async upload(rows, signal) {
      const response = await call.post({
        abortSignal: signal,
        body: Buffer.from(`[${rows.join(',')}]`),
        contentType: 'application/json',
        headers: { 'content-encoding': 'gzip' },
      });
      if (response.status !== '204') throw createRestError(response);
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
