import { type CallResult, sameOutcome } from '../bisect.js';
import { type HttpVendor, httpResult, type VendorResponse } from '../http-result.js';
import type { Reason } from '../target.js';
import { monitoringLimits, type LogEntry } from './encode.js';

const KEY_REFUSED =
  'Datadog refused the API key. Check that it is an API key (not an application key), that it is enabled, and that it belongs to this site.';

const datadog: HttpVendor = {
  name: 'Datadog',
  addressField: 'site',
  messages: {
    400: 'Datadog refused the log entry as malformed.',
    401: KEY_REFUSED,
    403: KEY_REFUSED,
    429: 'Datadog is throttling this API key.',
  },
  blamesRecord: () => true,
};

/**
 * Returns the result of a call: Datadog accepts all entries or none. The statuses:
 * https://docs.datadoghq.com/api/latest/logs/#send-logs
 */
export function intakeResult(entries: readonly LogEntry[], response: VendorResponse): CallResult {
  return response.status === 202 ? sameOutcome(entries, { kind: 'delivered' }) : httpResult(entries, response, datadog);
}

/** Returns why an entry is not sent. */
export function entryTooLarge(bytes: number): Reason {
  const { recordBytes } = monitoringLimits;
  return {
    code: 'record_too_large',
    message: `The event has ${bytes} bytes as a log entry. Datadog truncates entries above ${recordBytes}, so it was not sent.`,
  };
}
