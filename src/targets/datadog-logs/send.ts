import { type CallResult, sameOutcome } from '../bisect.js';
import { noResponseOutcome } from '../connection-errors.js';
import type { LogEntry } from './encode.js';
import { intakeResult } from './errors.js';
import { loadSdk, type DatadogSdk } from './sdk.js';
import { Transport } from './transport.js';

/** Address and key of an intake. */
export interface Intake {
  /** Base URL of the intake. */
  readonly url: string;
  readonly apiKey: string;
}

/**
 * Makes one call to the intake. Each call has a `Configuration` of its own, which is cheap. The client's
 * `createConfiguration` would read DD_SITE, DD_API_KEY and DD_APP_KEY from the environment. The client's retries are
 * off.
 */
export async function submit(intake: Intake, entries: readonly LogEntry[], signal: AbortSignal): Promise<CallResult> {
  const sdk = await loadSdk();
  const transport = new Transport(sdk, signal);
  try {
    signal.throwIfAborted();
    const api = new sdk.LogsApi(configuration(sdk, intake, transport));
    await api.submitLog({ body: [...entries], contentEncoding: 'gzip' });
  } catch (error) {
    // The client's error quotes the body and has no headers, so the transport's response is read instead.
    if (!transport.response) return sameOutcome(entries, noResponseOutcome(error, signal));
  }
  if (!transport.response) return sameOutcome(entries, noResponseOutcome(undefined, signal));
  return intakeResult(entries, transport.response);
}

function configuration(sdk: DatadogSdk, intake: Intake, transport: Transport) {
  return new sdk.Configuration(
    new sdk.BaseServerConfiguration(intake.url, {}),
    0,
    {},
    transport,
    { apiKeyAuth: new sdk.ApiKeyAuthAuthentication(intake.apiKey) },
    {},
    false,
    false,
    0,
    2,
    2,
    {},
  );
}
