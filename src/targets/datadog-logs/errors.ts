import { forEvery } from '../bisect.js';
import type { CallAnswer } from '../bisect.js';
import { retryAfterMs } from '../retry-after.js';
import type { Reason } from '../target.js';
import { monitoringLimits } from './encode.js';
import type { LogEntry } from './encode.js';
import type { Answer } from './transport.js';

/**
 * What Datadog's answer means for the entries of a call: it takes all of them or none.
 * The statuses: https://docs.datadoghq.com/api/latest/logs/#send-logs
 */
export function readAnswer(entries: readonly LogEntry[], { status, headers }: Answer): CallAnswer {
  if (status >= 200 && status <= 299) return forEvery(entries, { kind: 'delivered' });
  const reason = reasonOf(status);
  if (status === 400 || status === 413) return { refused: reason };
  if (status === 408 || status === 429 || status >= 500) {
    const afterMs = retryAfterMs(headers.get('retry-after') ?? headers.get('x-ratelimit-reset'));
    return forEvery(entries, { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) });
  }
  return forEvery(entries, { kind: 'misconfigured', reason });
}

function reasonOf(status: number): Reason {
  return { code: `http_${status}`, message: messageOf(status), httpStatus: status };
}

function messageOf(status: number): string {
  switch (status) {
    case 400:
      return 'Datadog refused this entry as malformed.';
    case 401:
    case 403:
      return 'Datadog does not accept the API key. Check that it is an API key (not an application key), that it is enabled, and that it belongs to this site.';
    case 408:
      return 'Datadog gave up waiting for the call to arrive.';
    case 413:
      return 'This entry is larger than Datadog accepts.';
    case 429:
      return 'Datadog is throttling this API key.';
    default:
      if (status >= 500) return 'Datadog is failing at the moment.';
      if (status >= 300 && status <= 399)
        return 'Datadog answered with a redirect, which is never followed. Check the site.';
      return 'Datadog answered in a way that its interface does not describe. Check the site.';
  }
}

/** Why an entry is not sent at all. */
export function entryTooLarge(bytes: number): Reason {
  const { recordBytes } = monitoringLimits;
  return {
    code: 'record_too_large',
    message: `The event takes ${bytes} bytes as a log entry. Datadog cuts what is beyond ${recordBytes}, so it was not sent.`,
  };
}
