import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { sandboxSecretAccessKey } from './credentials.js';

describe('firehose', () => {
  let sandbox: Sandbox;
  let client: FirehoseClient;
  beforeAll(async () => {
    sandbox = await startSandbox();
    client = new FirehoseClient({
      endpoint: sandbox.url,
      region: 'eu-west-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'AKIASANDBOXUSER00001', secretAccessKey: sandboxSecretAccessKey },
    });
  });
  afterAll(async () => {
    client.destroy();
    await sandbox.close();
  });
  it('works', async () => {
    const answer = await client.send(
      new PutRecordBatchCommand({
        DeliveryStreamName: 'audit',
        Records: [{ Data: Buffer.from('{"a":"ü"}\n') }, { Data: Buffer.from('b\n') }],
      }),
    );
    expect(answer.FailedPutCount).toBe(0);
    expect(sandbox.received({ target: 'delivery_stream' }).map((e) => e.body)).toEqual([
      '{"a":"ü"}\n',
      'b\n',
    ]);
  });
});
