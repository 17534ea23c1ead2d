import { describe, expect, it } from 'vitest';
import { noResponseOutcome, socketCodeOf } from './connection-errors.js';

const never = new AbortController().signal;
const coded = (code: string) => Object.assign(new Error('secret text'), { code });

describe('noResponseOutcome', () => {
  it('retries with the socket’s code, however deep it is nested', () => {
    const wrapped = new TypeError('fetch failed', { cause: new Error('x', { cause: coded('ECONNRESET') }) });
    expect(noResponseOutcome(wrapped, never)).toMatchObject({
      kind: 'retry',
      reason: { code: 'ECONNRESET' },
    });
    expect(noResponseOutcome(coded('ENOTFOUND'), never)).toMatchObject({ reason: { code: 'ENOTFOUND' } });
  });

  it('has a code for an error without one, and never shows the error’s text', () => {
    const outcome = noResponseOutcome(new Error('secret text'), never);
    expect(outcome).toMatchObject({ kind: 'retry', reason: { code: 'connection_failed' } });
    expect(JSON.stringify([outcome, noResponseOutcome(coded('EPIPE'), never)])).not.toContain('secret text');
  });

  it('distinguishes a timeout from another abort, whatever was thrown', () => {
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    expect(noResponseOutcome(coded('ECONNRESET'), late)).toMatchObject({
      kind: 'retry',
      reason: { code: 'timeout' },
    });
    expect(noResponseOutcome(undefined, AbortSignal.abort())).toMatchObject({ kind: 'interrupted' });
  });

  it('takes no free text for a code', () => {
    expect(socketCodeOf(coded('some text of the vendor'))).toBeUndefined();
    expect(socketCodeOf('ECONNRESET')).toBeUndefined();
  });

  it('comes to an end when a cause goes round in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(socketCodeOf(error)).toBeUndefined();
  });
});
