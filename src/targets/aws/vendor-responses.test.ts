import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setEnvironment } from '../../../test/support/environment.js';
import { startLoopback } from '../../../test/support/loopback-server.js';
import type { LoopbackResponse, LoopbackRequest, LoopbackServer } from '../../../test/support/loopback-server.js';
import { exampleEvent } from '../../../test/targets/conformance/events.js';
import { logGroup } from '../aws-cloudwatch-logs/target.js';
import { deliveryStream } from '../aws-firehose/target.js';
import { dataStream } from '../aws-kinesis/target.js';
import type { Connection } from '../target.js';

const VENDOR_TEXT = 'text of the vendor';
const auth = {
  role: null,
  creds: {
    cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    cloud_secret_access_key: 'any-secret-will-do',
  },
};
const context = { destinationId: 'ed_1', externalId: 'unused', settings: { sendTimeoutMs: 300_000 } };
const arn = (service: string, resource: string) => `arn:aws:${service}:eu-central-1:123456789012:${resource}`;

const connect: Record<'delivery_stream' | 'data_stream' | 'log_group', () => Connection> = {
  delivery_stream: () =>
    deliveryStream.connect(
      { auth, delivery_stream_arn: arn('firehose', 'deliverystream/responses'), records: 'one_event' },
      context,
    ),
  data_stream: () =>
    dataStream.connect({ auth, stream_arn: arn('kinesis', 'stream/responses'), records: 'one_event' }, context),
  log_group: () => logGroup.connect({ auth, log_group_arn: arn('logs', 'log-group:responses') }, context),
};

const json = (status: number, body: unknown, headers: Record<string, string> = {}): LoopbackResponse => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.1', ...headers },
  body: JSON.stringify(body),
});
const error = (status: number, name: string, headers?: Record<string, string>): LoopbackResponse =>
  json(status, { __type: name, message: VENDOR_TEXT }, headers);

/** Errors that the three services have in common. */
const common = [
  [400, 'ThrottlingException', 'retry'],
  [400, 'LimitExceededException', 'retry'],
  [429, 'TooManyRequestsException', 'retry'],
  [500, 'InternalFailure', 'retry'],
  [503, 'ServiceUnavailableException', 'retry'],
  [408, 'RequestTimeoutException', 'retry'],
  [400, 'ExpiredTokenException', 'retry'],
  [400, 'RequestExpired', 'retry'],
  [400, 'AccessDeniedException', 'misconfigured'],
  [403, 'AccessDenied', 'misconfigured'],
  [400, 'UnrecognizedClientException', 'misconfigured'],
  [403, 'InvalidClientTokenId', 'misconfigured'],
  [403, 'SignatureDoesNotMatch', 'misconfigured'],
  [400, 'InvalidSignatureException', 'misconfigured'],
  [400, 'ResourceNotFoundException', 'misconfigured'],
  [400, 'SomethingNeverSeen', 'misconfigured'],
  [413, 'RequestEntityTooLarge', 'rejected'],
  [400, 'ValidationException', 'rejected'],
  [400, 'SerializationException', 'rejected'],
] as const;
const own = {
  delivery_stream: [
    [400, 'InvalidSourceException', 'misconfigured'],
    [400, 'InvalidKMSResourceException', 'misconfigured'],
    [400, 'InvalidArgumentException', 'rejected'],
  ],
  data_stream: [
    [400, 'ProvisionedThroughputExceededException', 'retry'],
    [400, 'KMSThrottlingException', 'retry'],
    [400, 'ResourceInUseException', 'retry'],
    [400, 'KMSAccessDeniedException', 'misconfigured'],
    [400, 'KMSDisabledException', 'misconfigured'],
    [400, 'KMSInvalidStateException', 'misconfigured'],
    [400, 'KMSNotFoundException', 'misconfigured'],
    [400, 'KMSOptInRequired', 'misconfigured'],
    [400, 'InvalidArgumentException', 'rejected'],
  ],
  log_group: [
    [400, 'ServiceQuotaExceededException', 'retry'],
    [400, 'InvalidOperationException', 'misconfigured'],
    [400, 'InvalidParameterException', 'rejected'],
  ],
} as const;

/** What Kinesis and Firehose return for four accepted records. */
const receipts = {
  Records: Array.from({ length: 4 }, () => ({ SequenceNumber: '1', ShardId: 's' })),
  RequestResponses: Array.from({ length: 4 }, () => ({ RecordId: 'r' })),
};

describe('responses of AWS through its own clients', () => {
  const variables = ['FIREHOSE', 'KINESIS', 'CLOUDWATCH_LOGS', 'STS'].map((name) => `AWS_ENDPOINT_URL_${name}`);
  let server: LoopbackServer;
  let respond: (request: LoopbackRequest) => LoopbackResponse;

  beforeAll(async () => {
    server = await startLoopback((request) => respond(request));
    setEnvironment({
      ...Object.fromEntries(variables.map((name) => [name, server.url])),
      AWS_ACCESS_KEY_ID: 'AKIAOPERATORSOWN0000',
      AWS_SECRET_ACCESS_KEY: 'the-secret-of-the-operator',
    });
  });
  beforeEach(() => {
    respond = () => json(200, {});
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  const send = async (kind: keyof typeof connect, count = 1) => {
    const events = Array.from({ length: count }, (_, index) => exampleEvent(index + 1));
    return connect[kind]().send(events, AbortSignal.timeout(200_000));
  };

  for (const kind of ['delivery_stream', 'data_stream', 'log_group'] as const) {
    it.each([...common, ...own[kind]])(`means for a ${kind} by %d %s: %s`, async (status, name, outcome) => {
      respond = () => error(status, name);
      const [got] = await send(kind);
      expect(got).toMatchObject({ kind: outcome, reason: { code: name, httpStatus: status } });
      expect(JSON.stringify(got)).not.toContain(VENDOR_TEXT);
    });

    it(`keeps the wait that a ${kind} asks for`, async () => {
      respond = () => error(400, 'ThrottlingException', { 'retry-after': '12' });
      expect(await send(kind)).toMatchObject([{ kind: 'retry', afterMs: 12_000 }]);
    });

    it(`takes an empty 200 of a proxy for a ${kind} as its vendor would mean it`, async () => {
      respond = () => json(200, {});
      // CloudWatch Logs gives no receipts.
      const outcome = kind === 'log_group' ? { kind: 'delivered' } : { kind: 'retry', reason: { code: 'no_receipt' } };
      expect(await send(kind)).toMatchObject([outcome]);
    });

    it(`halves a call that a ${kind} finds too large`, async () => {
      const before = server.requests.length;
      let calls = 0;
      respond = () => {
        calls += 1;
        return calls === 1 ? error(413, 'RequestEntityTooLarge') : json(200, receipts);
      };
      expect((await send(kind, 4)).map((outcome) => outcome.kind)).toEqual(Array(4).fill('delivered'));
      expect(server.requests.length - before).toBe(3);
    });

    it(`keeps the status of a response of a ${kind} that is not JSON`, async () => {
      respond = () => ({ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' });
      expect(await send(kind)).toMatchObject([{ kind: 'retry', reason: { code: 'http_502', httpStatus: 502 } }]);
    });
  }

  it.each([
    ['ProvisionedThroughputExceededException', 'retry'],
    ['InternalFailure', 'retry'],
    ['ValidationException', 'rejected'],
    ['KMSDisabledException', 'misconfigured'],
  ])('reads %s of one record in a response of Kinesis as %s', async (code, outcome) => {
    respond = () =>
      json(200, {
        FailedRecordCount: 1,
        Records: [
          { SequenceNumber: '1', ShardId: 's' },
          { ErrorCode: code, ErrorMessage: VENDOR_TEXT },
        ],
      });
    const outcomes = await send('data_stream', 2);
    expect(outcomes).toMatchObject([{ kind: 'delivered' }, { kind: outcome, reason: { code } }]);
    expect(JSON.stringify(outcomes)).not.toContain(VENDOR_TEXT);
  });

  it.each(['ServiceUnavailableException', 'InternalFailure'])(
    'retries a record that Firehose did not take for %s',
    async (code) => {
      respond = () => json(200, { FailedPutCount: 1, RequestResponses: [{ ErrorCode: code }, { RecordId: 'r' }] });
      expect(await send('delivery_stream', 2)).toMatchObject([
        { kind: 'retry', reason: { code } },
        { kind: 'delivered' },
      ]);
    },
  );

  it.each(['tooOldLogEventEndIndex', 'expiredLogEventEndIndex', 'tooNewLogEventStartIndex'])(
    'retries an event whose own and current time CloudWatch Logs refuses by %s, index 0 included',
    async (index) => {
      respond = () => json(200, { rejectedLogEventsInfo: { [index]: 0 } });
      expect(await send('log_group')).toMatchObject([{ kind: 'retry', reason: { code: 'rejected_log_events' } }]);
    },
  );

  describe('while the clock of the host is six minutes wrong', () => {
    let apartMs: number;
    beforeEach(() => {
      apartMs = 360_000;
    });
    const date = () => ({ date: new Date(Date.now() + apartMs).toUTCString() });
    const receipt = () => json(200, { RequestResponses: [{ RecordId: 'r' }] }, date());
    const credentials = ['AccessKeyId', 'SecretAccessKey', 'SessionToken']
      .map((member) => `<${member}>of-the-role</${member}>`)
      .join('');
    /** The responses of AWS: a time that is over five minutes from its own is refused. */
    const respondOnTime = ({ headers, body }: LoopbackRequest): LoopbackResponse => {
      const [day = '', time = ''] = String(headers['x-amz-date']).split('T');
      const signedAt = Date.parse(`${day.replace(/(....)(..)/, '$1-$2-')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`);
      const refused = Math.abs(signedAt - Date.now() - apartMs) > 300_000;
      if (!body.startsWith('Action=AssumeRole')) {
        return refused ? error(400, 'InvalidSignatureException', date()) : receipt();
      }
      return {
        status: refused ? 403 : 200,
        headers: { ...date(), 'content-type': 'text/xml' },
        body: refused
          ? '<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code></Error></ErrorResponse>'
          : `<AssumeRoleResponse><AssumeRoleResult><Credentials>${credentials}</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
      };
    };
    const sendOver = async (connection: Connection) => {
      const before = server.requests.length;
      const [outcome] = await connection.send([exampleEvent(1)], AbortSignal.timeout(200_000));
      return { outcome, calls: server.requests.length - before };
    };

    it.each([
      ['ValidationException', 'rejected', 1],
      ['AccessDeniedException', 'misconfigured', 1],
      ['ThrottlingException', 'retry', 1],
      ['InvalidSignatureException', 'misconfigured', 2],
      ['RequestTimeTooSkewed', 'retry', 2],
    ])('means by %s: %s, after calls: %d', async (name, kind, calls) => {
      respond = () => error(400, name, { ...date(), 'retry-after': '12' });
      const sent = await sendOver(connect.delivery_stream());
      expect(sent).toMatchObject({ outcome: { kind, reason: { code: name } }, calls });
      if (name === 'ThrottlingException') expect(sent.outcome).toMatchObject({ afterMs: 12_000 });
    });

    it('delivers with the time of the response, also once the clock is right', async () => {
      respond = respondOnTime;
      const connection = connect.delivery_stream();
      expect(await sendOver(connection)).toEqual({ outcome: { kind: 'delivered' }, calls: 2 });
      expect(await sendOver(connection)).toEqual({ outcome: { kind: 'delivered' }, calls: 1 });
      apartMs = 0;
      expect(await sendOver(connection)).toEqual({ outcome: { kind: 'delivered' }, calls: 2 });
    });

    it('delivers with a role, of which AWS STS and the vendor refuse the time', async () => {
      respond = respondOnTime;
      const byRole = deliveryStream.connect(
        {
          auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/events' }, creds: null },
          delivery_stream_arn: arn('firehose', 'deliverystream/responses'),
          records: 'one_event',
        },
        context,
      );
      expect(await sendOver(byRole)).toEqual({ outcome: { kind: 'delivered' }, calls: 4 });
    });
  });
});
