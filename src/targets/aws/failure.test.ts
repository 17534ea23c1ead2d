import { describe, expect, it } from 'vitest';
import { AssumeRoleError, OperatorCredentialsError, SetupError, failureOf } from './failure.js';
import { outcomeOf, messagesFor } from './outcome.js';

const messages = messagesFor({
  resource: 'delivery stream',
  service: 'Firehose',
  action: 'firehose:PutRecordBatch',
});

/** An error as the SDK throws it. */
function thrown(name: string, status?: number, headers: Record<string, string> = {}): Error {
  return Object.assign(new Error('text of the vendor, with arn:aws:iam::123456789012:role/secret'), {
    name,
    $metadata: status === undefined ? {} : { httpStatusCode: status },
    $response: { statusCode: status, headers },
  });
}

const outcomeFor = (error: unknown) => outcomeOf(failureOf(error), messages);

describe('failureOf and outcomeOf', () => {
  it.each([
    ['ThrottlingException', 400, 'retry'],
    ['Throttling', 400, 'retry'],
    ['SomeNewThrottledThing', 400, 'retry'],
    ['LimitExceededException', 400, 'retry'],
    ['TooManyRequestsException', 429, 'retry'],
    ['ServiceUnavailableException', 503, 'retry'],
    ['InternalFailure', 500, 'retry'],
    ['RequestTimeoutException', 408, 'retry'],
    ['ExpiredTokenException', 400, 'retry'],
    ['ExpiredToken', 403, 'retry'],
    ['RequestTimeTooSkewed', 403, 'retry'],
    ['RequestExpired', 400, 'retry'],
    ['SomethingNeverSeen', 500, 'retry'],
    ['AccessDenied', 403, 'misconfigured'],
    ['AccessDeniedException', 400, 'misconfigured'],
    ['UnrecognizedClientException', 400, 'misconfigured'],
    ['InvalidClientTokenId', 403, 'misconfigured'],
    ['SignatureDoesNotMatch', 403, 'misconfigured'],
    ['InvalidSignatureException', 400, 'misconfigured'],
    ['ResourceNotFoundException', 400, 'misconfigured'],
    ['SomethingNeverSeen', 400, 'misconfigured'],
    ['ValidationException', 400, 'rejected'],
    ['RequestEntityTooLarge', 413, 'rejected'],
  ])('takes %s with status %d as %s, with the vendor’s name as the code', (name, status, kind) => {
    expect(outcomeFor(thrown(name, status))).toMatchObject({
      kind,
      reason: { code: name, httpStatus: status },
    });
  });

  it.each([
    [400, 'misconfigured'],
    [403, 'misconfigured'],
    [408, 'retry'],
    [413, 'rejected'],
    [429, 'retry'],
    [502, 'retry'],
    [503, 'retry'],
  ])('classifies a response with status %d that is not JSON as %s', (status, kind) => {
    expect(outcomeFor(thrown('SyntaxError', status))).toMatchObject({
      kind,
      reason: { code: `http_${status}`, httpStatus: status },
    });
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'retries after %s, also where the SDK has given it another name or wrapped it',
    (code) => {
      const socket = Object.assign(new Error('socket'), {
        code,
        name: 'TimeoutError',
        $metadata: { attempts: 1 },
      });
      expect(outcomeFor(socket)).toMatchObject({ kind: 'retry', reason: { code } });
      expect(outcomeFor(new Error('wrapped', { cause: socket }))).toMatchObject({
        kind: 'retry',
        reason: { code },
      });
    },
  );

  it.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of seconds', { 'retry-after': '1.5' }, 1500],
    ['the vendor’s own header in milliseconds', { 'x-amz-retry-after': '2500' }, 2500],
    ['nothing that makes sense', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('hands on a wait given as %s', (_, headers, afterMs) => {
    const outcome = outcomeFor(thrown('ThrottlingException', 400, { ...headers }));
    expect(outcome.kind === 'retry' ? outcome.afterMs : 'no retry').toBe(afterMs);
  });

  it('hands on a wait given as a date, and one in the error itself', () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const dated = failureOf(thrown('ThrottlingException', 429, { 'retry-after': inAnHour }));
    expect(dated.afterMs).toBeGreaterThan(3_000_000);
    expect(dated.afterMs).toBeLessThanOrEqual(3_600_000);
    const member = Object.assign(thrown('TooManyRequestsException', 429), { retryAfterSeconds: 3 });
    expect(failureOf(member).afterMs).toBe(3000);
  });

  it('tells the owner how to fix a role that cannot be assumed, and never rejects an event for it', () => {
    for (const name of ['AccessDenied', 'ValidationError', 'RequestEntityTooLarge']) {
      const outcome = outcomeFor(new AssumeRoleError(thrown(name, 403)));
      expect(outcome).toMatchObject({ kind: 'misconfigured', reason: { code: name } });
      expect(JSON.stringify(outcome)).toContain('trust policy');
    }
    expect(outcomeFor(new AssumeRoleError(thrown('Throttling', 400)))).toMatchObject({ kind: 'retry' });
  });

  it.each([
    'IncompleteSignature',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'MissingAuthenticationToken',
    'OptInRequired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
  ])('does not blame the role for %s of AWS STS, which is about the identity of this service', (name) => {
    const outcome = outcomeFor(new AssumeRoleError(thrown(name, 403)));
    expect(outcome).toMatchObject({
      kind: 'misconfigured',
      reason: { code: name, message: expect.stringMatching(/identity of this service.*region.*operator/) },
    });
    expect(JSON.stringify(outcome)).not.toContain('trust policy');
  });

  it.each(['RegionDisabledException', 'NeverSeen'])('does not take %s for a lack of credentials', (name) => {
    const outcome = outcomeFor(new AssumeRoleError(thrown(name, 400)));
    expect(outcome).toMatchObject({ kind: 'misconfigured', reason: { code: name } });
    expect(JSON.stringify(outcome)).not.toMatch(/no AWS credentials|trust policy/);
  });

  it.each([
    ['misconfigured', 'it has never had any', false],
    ['retry', 'it has had some, so that what issues them has failed', true],
  ])('takes a lack of credentials of this service as %s when %s', (kind, _, hasHadCredentials) => {
    const noCredentials = new OperatorCredentialsError(thrown('CredentialsProviderError'), hasHadCredentials);
    expect(outcomeFor(new AssumeRoleError(noCredentials))).toMatchObject({
      kind,
      reason: { code: 'CredentialsProviderError', message: expect.stringContaining('operator') },
    });
  });

  it('reports what is missing in the configuration', () => {
    expect(outcomeFor(new SetupError('missing_secret', 'The destination has no secret.'))).toEqual({
      kind: 'misconfigured',
      reason: { code: 'missing_secret', message: 'The destination has no secret.' },
    });
  });

  it.each([undefined, null, 'a string', 42, {}, new Error('plain'), { name: 'x'.repeat(500) }, { name: 'a b' }])(
    'retries an unknown error: %s',
    (odd) => {
      expect(outcomeFor(odd)).toMatchObject({ kind: 'retry' });
    },
  );

  it('never shows text of the vendor', () => {
    const errors = ['AccessDenied', 'ValidationException', 'ThrottlingException', 'Strange', 'name with secret in it'];
    const text = JSON.stringify([
      ...errors.map((name) => outcomeFor(thrown(name, 400))),
      ...errors.map((name) => outcomeFor(new AssumeRoleError(thrown(name, 400)))),
    ]);
    expect(text).not.toContain('text of the vendor');
    expect(text).not.toContain('secret');
  });
});
