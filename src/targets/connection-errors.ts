import type { Outcome } from './target.js';

/** How deep `cause` is followed: `fetch` wraps a socket's error once, the SDKs once or twice more. */
const DEEPEST_CAUSE = 5;

const socketCode = /^[A-Z][A-Z0-9_]{2,63}$/;

/**
 * The code of the socket, resolver or TLS error (`ECONNRESET`, `ENOTFOUND`, `CERT_HAS_EXPIRED`) at the root of `error`;
 * undefined where there is none.
 */
export function socketCodeOf(error: unknown): string | undefined {
  let current = error;
  let found: string | undefined;
  for (let depth = 0; depth < DEEPEST_CAUSE && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && socketCode.test(current.code))
      found = current.code;
    current = current.cause;
  }
  return found;
}

/**
 * The outcome of a call that ended without an answer: the signal aborted it, or the connection failed. Whether the records
 * arrived is not known, so they are sent again.
 */
export function unanswered(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return ended(signal);
  const [code, message] = connectionFailure(error);
  return { kind: 'retry', reason: { code, message } };
}

/** The outcome of a call that `signal` has ended: its time was over, which is the target's fault, or we had to stop, which is ours. */
export function ended(signal: AbortSignal): Outcome {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? { kind: 'retry', reason: { code: 'timeout', message: 'The target did not answer in time.' } }
    : { kind: 'interrupted', reason: interruption };
}

const interruption = {
  code: 'interrupted',
  message: 'Waybill had to end the call before the target had answered; it is sent again at once.',
};

function connectionFailure(error: unknown): [code: string, message: string] {
  const code = socketCodeOf(error);
  switch (code) {
    case undefined:
      return ['connection_failed', 'The connection failed before the target had answered.'];
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [code, 'The name of the target’s host could not be resolved.'];
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return [code, 'The target’s host could not be reached.'];
    default:
      return [code, 'The connection broke before the target had answered.'];
  }
}
