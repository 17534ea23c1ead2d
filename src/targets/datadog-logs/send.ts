import type { CallAnswer } from '../bisect.js';
import { forEvery } from '../bisect.js';
import { unanswered } from '../connection-errors.js';
import type { LogEntry } from './encode.js';
import { readAnswer } from './errors.js';
import { loadSdk } from './sdk.js';
import type { DatadogSdk } from './sdk.js';
import { Transport } from './transport.js';

/** Where a call goes, and with which key. */
export interface Intake {
  /** Base URL of the intake. */
  readonly url: string;
  readonly apiKey: string;
}

/**
 * One call to the intake with these entries. The client's `Configuration` is made here, not by its `createConfiguration`, which
 * would take DD_SITE, DD_API_KEY and DD_APP_KEY from the environment; it is cheap (no network, no files), so each call has one
 * with a transport of its own. The client's own retries are off.
 */
export async function submit(
  intake: Intake,
  entries: readonly LogEntry[],
  signal: AbortSignal,
): Promise<CallAnswer> {
  const sdk = await loadSdk();
  const transport = new Transport(sdk, signal);
  try {
    signal.throwIfAborted();
    const api = new sdk.LogsApi(configuration(sdk, intake, transport));
    await api.submitLog({ body: [...entries], contentEncoding: 'gzip' });
  } catch (error) {
    // The client's error quotes the answer and has no headers: the transport's record of the answer is read instead.
    if (!transport.answer) return forEvery(entries, unanswered(error, signal));
  }
  if (!transport.answer) return forEvery(entries, unanswered(undefined, signal));
  return readAnswer(entries, transport.answer);
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
