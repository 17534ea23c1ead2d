import type { Outcome, Reason } from './target.js';

/** How deep `cause` is followed: `fetch` wraps a socket's error once, the SDKs once or twice more. */
const MAX_CAUSE_DEPTH = 5;

const socketCode = /^[A-Z][A-Z0-9_]{2,63}$/;

/**
 * Returns the code of the socket, DNS or TLS error (`ECONNRESET`, `ENOTFOUND`, `CERT_HAS_EXPIRED`) that caused `error`,
 * or undefined without one.
 */
export function socketCodeOf(error: unknown): string | undefined {
  let current = error;
  let found: string | undefined;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && socketCode.test(current.code)) found = current.code;
    current = current.cause;
  }
  return found;
}

/**
 * Returns the outcome of a call without a response: `signal` aborted, or the connection failed. The records may have
 * arrived; they are sent again.
 */
export function noResponseOutcome(error: unknown, signal: AbortSignal): Outcome {
  return signal.aborted ? abortOutcome(signal) : { kind: 'retry', reason: connectionFailure(error) };
}

/**
 * Returns the outcome of a call that `signal` aborted: `retry` after a timeout of the target, otherwise `interrupted`.
 */
export function abortOutcome(signal: AbortSignal): Outcome {
  const timedOut = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return timedOut
    ? { kind: 'retry', reason: { code: 'timeout', message: 'The target did not respond in time.' } }
    : { kind: 'interrupted', reason: interruption };
}

/** Code of an attempt that Waybill itself ended. */
export const INTERRUPTED = 'interrupted';

const interruption = {
  code: INTERRUPTED,
  message: 'Waybill ended the call before the target responded. It sends the event again at once.',
};

function connectionFailure(error: unknown): Reason {
  const code = socketCodeOf(error);
  switch (code) {
    case undefined:
      return { code: 'connection_failed', message: 'The connection failed before the target responded.' };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { code, message: 'The host name of the target could not be resolved.' };
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { code, message: 'The host of the target could not be reached.' };
    default:
      return { code, message: 'The connection broke before the target responded.' };
  }
}
