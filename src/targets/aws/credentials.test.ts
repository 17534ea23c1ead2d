import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setEnvironment } from '../../../test/support/environment.js';
import { type LoopbackResponse, startLoopback } from '../../../test/support/loopback-server.js';
import { exampleEvents } from '../../../test/targets/conformance/events.js';
import { deliveryStream } from '../aws-firehose/target.js';
import type { Outcome } from '../target.js';

const ARN = 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/credentials';
const SECRET = 'sandbox-secret-access-key-0123456789abcd';
const role = (name: string) => ({ role: { role_arn: `arn:aws:iam::123456789012:role/${name}` }, creds: null });
const key = (id: string, secretAccessKey = SECRET) => ({
  role: null,
  creds: { cloud_access_key_id: id, cloud_secret_access_key: secretAccessKey },
});

type Auth = Parameters<typeof deliveryStream.connect>[0]['auth'];
const connect = (auth: Auth, sendTimeoutMs = 300_000) => {
  const context = { destinationId: 'ed_01jb', externalId: 'external-id-of-ed_01jb', settings: { sendTimeoutMs } };
  return deliveryStream.connect({ auth, delivery_stream_arn: ARN, records: 'one_event' }, context);
};
const send = async (auth: Auth): Promise<readonly Outcome[]> => {
  const connection = connect(auth);
  const outcomes = await connection.send(exampleEvents(1), AbortSignal.timeout(200_000));
  await connection.close();
  return outcomes;
};

/** Leaves this service without AWS credentials. */
const noIdentity = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
};

describe('the credentials of a destination', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  beforeEach(() => {
    sandbox.clear();
    setEnvironment({ ...sandbox.environment, AWS_EC2_METADATA_DISABLED: 'true' });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => sandbox.close());

  it('are those of the role, assumed with the external id of the destination and a session named for it', async () => {
    expect(await send(role('events'))).toEqual([{ kind: 'delivered' }]);
    expect(sandbox.assumedRoles().at(-1)).toMatchObject({
      roleArn: 'arn:aws:iam::123456789012:role/events',
      externalId: 'external-id-of-ed_01jb',
      sessionName: 'waybill-ed_01jb',
    });
  });

  it('are requested once, and used until they expire', async () => {
    const connection = connect(role('events'));
    const before = sandbox.assumedRoles().length;
    for (let batch = 0; batch < 3; batch += 1) await connection.send(exampleEvents(1), AbortSignal.timeout(200_000));
    expect(sandbox.assumedRoles().length - before).toBe(1);
    sandbox.script({ target: 'delivery_stream', kind: 'expired', times: 1 });
    await connection.send(exampleEvents(1), AbortSignal.timeout(200_000));
    expect(sandbox.assumedRoles().length - before).toBe(2);
  });

  it('are the destination’s own key, and no role is assumed', async () => {
    expect(await send(key('AKIASANDBOXUSER00001'))).toEqual([{ kind: 'delivered' }]);
    expect(sandbox.calls().map(({ target }) => target)).toEqual(['delivery_stream']);
  });

  it.each([
    ['a role that does not trust us', role('denied-events'), 'AccessDenied'],
    ['a key that does not exist', key('AKIAWRONG00000000000'), 'UnrecognizedClientException'],
    ['a wrong secret', key('AKIASANDBOXUSER00001', 'not-the-secret'), 'InvalidSignatureException'],
    ['a key without permission', key('AKIADENIED0000000000'), 'AccessDeniedException'],
    ['no secret at all', { role: null, creds: { cloud_access_key_id: 'AKIASANDBOXUSER00001' } }, 'missing_secret'],
  ])('make the destination misconfigured when they are %s', async (_, auth, code) => {
    expect(await send(auth)).toMatchObject([{ kind: 'misconfigured', reason: { code } }]);
    expect(sandbox.received()).toEqual([]);
  });

  it('are requested again later when the service has lost the identity that it had', async () => {
    expect(await send(role('events'))).toEqual([{ kind: 'delivered' }]);
    setEnvironment(noIdentity);
    expect(await send(role('events'))).toMatchObject([
      {
        kind: 'retry',
        reason: { code: 'CredentialsProviderError', message: expect.stringContaining('operator') },
      },
    ]);
  });

  it.each([
    ['AccessDenied', 403, 'misconfigured', 'AccessDenied'],
    ['IDPCommunicationError', 400, 'retry', 'IDPCommunicationErrorException'],
  ])('do not blame the role for %s to the web identity of this service', async (name, status, kind, code) => {
    const body = `<ErrorResponse><Error><Code>${name}</Code><Message>No.</Message></Error></ErrorResponse>`;
    const service = await startLoopback(() => ({ status, headers: { 'content-type': 'text/xml' }, body }));
    setEnvironment({
      ...noIdentity,
      AWS_ENDPOINT_URL_STS: service.url,
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/waybill',
      AWS_WEB_IDENTITY_TOKEN_FILE: fileURLToPath(import.meta.url),
    });
    expect(await send(role('events'))).toMatchObject([
      { kind, reason: { code, message: expect.stringMatching(/its own AWS credentials.*operator/) } },
    ]);
    expect(service.requests[0]?.body).toContain('AssumeRoleWithWebIdentity');
    await service.close();
  });

  it('are requested again after an endpoint for containers that never answered', async () => {
    const endpoint = await startLoopback((): LoopbackResponse => 'never');
    setEnvironment({ ...noIdentity, AWS_CONTAINER_CREDENTIALS_FULL_URI: endpoint.url });
    const connection = connect(role('events'), 1_000);
    expect(await connection.send(exampleEvents(1), AbortSignal.timeout(5_000))).toMatchObject([
      { kind: 'retry', reason: { code: 'timeout', message: expect.stringContaining('operator') } },
    ]);
    setEnvironment({ ...sandbox.environment, AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined });
    expect(await connection.send(exampleEvents(1), AbortSignal.timeout(200_000))).toEqual([{ kind: 'delivered' }]);
    await connection.close();
    await endpoint.close();
  });
});
