import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { clientSettings } from './testing.js';

describe('the STS protocol', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => {
    vi.useRealTimers();
    sandbox.clear();
  });

  afterAll(() => sandbox.close());

  const assume = (params: { RoleArn: string; ExternalId?: string }, operator = clientSettings(sandbox)) =>
    fromTemporaryCredentials({
      params: { RoleSessionName: 'waybill', ...params },
      masterCredentials: operator.credentials,
      clientConfig: { region: 'eu-west-1', endpoint: sandbox.url, maxAttempts: 1 },
    });
  const role = 'arn:aws:iam::210987654321:role/audit/writer';

  it('issues credentials that the targets accept until they expire', async () => {
    const credentials = await assume({ RoleArn: role, ExternalId: 'wbx-1' })();
    const client = new FirehoseClient({ ...clientSettings(sandbox), credentials });
    const put = new PutRecordBatchCommand({
      DeliveryStreamName: 'audit',
      Records: [{ Data: Buffer.from('a') }],
    });
    expect((await client.send(put)).FailedPutCount).toBe(0);
    expect(sandbox.assumedRoles().at(-1)).toMatchObject({
      roleArn: role,
      externalId: 'wbx-1',
      sessionName: 'waybill',
      accessKeyId: credentials.accessKeyId,
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 });
    const later = new FirehoseClient({
      ...clientSettings(sandbox),
      credentials: {
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: credentials.secretAccessKey,
        sessionToken: credentials.sessionToken ?? '',
      },
    });
    await expect(later.send(put)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    client.destroy();
    later.destroy();
  });

  it('refuses a session whose token does not belong to its key', async () => {
    const { accessKeyId, secretAccessKey } = await assume({ RoleArn: role, ExternalId: 'wbx-1' })();
    const client = new FirehoseClient({
      ...clientSettings(sandbox),
      credentials: { accessKeyId, secretAccessKey, sessionToken: 'another' },
    });
    const put = new PutRecordBatchCommand({
      DeliveryStreamName: 'audit',
      Records: [{ Data: Buffer.from('a') }],
    });
    await expect(client.send(put)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    client.destroy();
  });

  it.each([
    ['no external id', { RoleArn: role }, 'AccessDenied', 403],
    [
      'a role that trusts no one',
      { RoleArn: 'arn:aws:iam::210987654321:role/denied', ExternalId: 'wbx-1' },
      'AccessDenied',
      403,
    ],
    ['an external id that is too short', { RoleArn: role, ExternalId: 'x' }, 'ValidationError', 400],
    [
      'a role that is no ARN',
      { RoleArn: 'arn:aws:iam::1:role/short-account', ExternalId: 'wbx-1' },
      'ValidationError',
      400,
    ],
  ])('refuses %s', async (_, params, error, status) => {
    await expect(assume(params)()).rejects.toMatchObject({
      name: error,
      $metadata: { httpStatusCode: status },
    });
  });

  it.each([
    ['an access key that is not one', 'AKIAWRONG00000000000', undefined, 'InvalidClientTokenId'],
    ['a wrong secret', 'AKIASANDBOXTESTS0000', 'another', 'SignatureDoesNotMatch'],
  ])('refuses %s', async (_, key, secret, error) => {
    const operator = clientSettings(sandbox, key, secret);
    await expect(assume({ RoleArn: role, ExternalId: 'wbx-1' }, operator)()).rejects.toMatchObject({
      name: error,
    });
  });

  it.each([
    ['throttle', 'Throttling'],
    ['deny', 'AccessDenied'],
    ['expired', 'ExpiredToken'],
  ] as const)('returns %s in its own words', async (kind, error) => {
    sandbox.script({ target: 'sts', address: role, kind, times: 1 });
    await expect(assume({ RoleArn: role, ExternalId: 'wbx-1' })()).rejects.toMatchObject({ name: error });
    expect((await assume({ RoleArn: role, ExternalId: 'wbx-1' })()).accessKeyId).toMatch(/^ASIASANDBOX/);
  });
});
