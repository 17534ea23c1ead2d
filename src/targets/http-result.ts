import { type CallResult, sameOutcome } from './bisect.js';
import { retryAfterMs } from './retry-after.js';
import type { Reason } from './target.js';

/** The parts of a vendor's HTTP response that decide the outcome. */
export interface VendorResponse {
  readonly status: number;
  /** The vendor's own error code, such as `OperationFailed`. */
  readonly code?: string | undefined;
  readonly retryAfter: string | null | undefined;
}

/** How one vendor, which accepts or refuses a call as a whole, uses HTTP statuses. */
export interface HttpVendor {
  /** Such as `Datadog`. */
  readonly name: string;
  /** The setting that a status outside the vendor's documentation points at, such as `site`. */
  readonly addressField: string;
  /** Messages for single statuses, where they differ from those below. */
  readonly messages: Readonly<Partial<Record<number, string>>>;
  /** Whether a 400 is about a record; with false, it is about the destination. */
  blamesRecord(response: VendorResponse): boolean;
}

/** Returns the result of a call with these records that got this response, which is not the one that accepts them. */
export function httpResult(records: readonly unknown[], response: VendorResponse, vendor: HttpVendor): CallResult {
  const { status, code = `http_${status}` } = response;
  const reason: Reason = { code, message: messageOf(status, vendor), httpStatus: status };
  if (status === 413 || (status === 400 && vendor.blamesRecord(response))) return { refused: reason };
  if (status === 408 || status === 429 || status >= 500) {
    const afterMs = retryAfterMs(response.retryAfter);
    return sameOutcome(records, { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) });
  }
  return sameOutcome(records, { kind: 'misconfigured', reason });
}

function messageOf(status: number, { name, addressField, messages }: HttpVendor): string {
  const message = messages[status];
  if (message !== undefined) return message;
  if (status === 408) return `${name} timed out while it received the call.`;
  if (status === 413) return `The event is too large for ${name}.`;
  if (status >= 500) return `${name} had an internal error.`;
  if (status >= 300 && status <= 399)
    return `${name} responded with a redirect, which is never followed. Check the ${addressField}.`;
  return `${name} responded with an undocumented status, or a proxy did. Check the ${addressField}.`;
}
