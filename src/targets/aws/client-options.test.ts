import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setEnvironment } from '../../../test/support/environment.js';
import { KinesisClient } from '../aws-kinesis/vendor.js';
import { clientOptions, withoutCallLog } from './client-options.js';

const context = { destinationId: 'ed_1', externalId: 'external', settings: { sendTimeoutMs: 20_000 } };
const role = { role_arn: 'arn:aws:iam::123456789012:role/events' };
const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE' };

describe('the options of a cloud client', () => {
  beforeAll(() =>
    setEnvironment({
      AWS_ACCESS_KEY_ID: 'AKIAOPERATORSOWN0000',
      AWS_SECRET_ACCESS_KEY: 'the operator’s own',
    }),
  );
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  it('carry the destination’s own key', () => {
    const { credentials } = clientOptions(
      { creds: { ...creds, cloud_secret_access_key: 'secret' } },
      'eu-west-1',
      context,
    );
    expect(credentials).toEqual({ accessKeyId: creds.cloud_access_key_id, secretAccessKey: 'secret' });
  });

  it.each([undefined, null, ''])(
    'are refused when the secret is %j: the operator’s own credentials are never used instead',
    (secret) => {
      expect(() =>
        clientOptions({ creds: { ...creds, cloud_secret_access_key: secret } }, 'eu-west-1', context),
      ).toThrow('no secret access key');
      expect(() => clientOptions({}, 'eu-west-1', context)).toThrow('no secret access key');
    },
  );

  it('leave the middleware that copies each record for a log, which is removed', () => {
    const options = clientOptions({ creds: { ...creds, cloud_secret_access_key: 'secret' } }, 'eu-west-1', context);
    const middleware = () => client.middlewareStack.identify().filter((name) => name.startsWith('loggerMiddleware'));
    const client = new KinesisClient(options);
    expect(middleware()).toHaveLength(1);
    expect(withoutCallLog(client)).toBe(client);
    expect(middleware()).toEqual([]);
  });

  it('try once, and assume the role anew for each client', () => {
    const [first, second] = [1, 2].map(() => clientOptions({ role }, 'eu-west-1', context));
    expect(first?.maxAttempts).toBe(1);
    expect(first?.credentials).toBeTypeOf('function');
    expect(first?.credentials).not.toBe(second?.credentials);
    expect(first?.requestHandler).toBe(second?.requestHandler);
  });
});
