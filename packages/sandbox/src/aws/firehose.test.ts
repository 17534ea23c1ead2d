import {
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  PutRecordBatchCommand,
  type _Record,
} from '@aws-sdk/client-firehose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { clientSettings } from './testing.js';

const records = (...texts: readonly string[]): _Record[] => texts.map((text) => ({ Data: Buffer.from(text) }));

const describeStream = async (name: string, client: FirehoseClient) => {
  const response = await client.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName: name }));
  return response.DeliveryStreamDescription;
};

describe('the Firehose protocol', () => {
  let sandbox: Sandbox;
  let client: FirehoseClient;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7 });
    client = new FirehoseClient(clientSettings(sandbox));
  });

  afterEach(() => sandbox.clear());

  afterAll(async () => {
    client.destroy();
    await sandbox.close();
  });

  const put = (name: string, given: _Record[], through = client) =>
    through.send(new PutRecordBatchCommand({ DeliveryStreamName: name, Records: given }));
  const received = (address: string) =>
    sandbox.received({ target: 'delivery_stream', address }).map(({ body }) => body);

  it('stores records as they were sent, in order, under the name of the stream', async () => {
    const response = await put('audit', records('{"name":"ü"}\n', 'b\n'));
    expect(response.FailedPutCount).toBe(0);
    expect(response.RequestResponses?.every(({ RecordId: id }) => (id ?? '') !== '')).toBe(true);
    expect(received('audit')).toEqual(['{"name":"ü"}\n', 'b\n']);
    expect(sandbox.calls()).toEqual([
      { target: 'delivery_stream', operation: 'PutRecordBatch', status: 200, calls: 1 },
    ]);
  });

  it('stores each line of a packed record as an event', async () => {
    await put('audit', records('{"sequence":1}\n{"sequence":2,"name":"ü"}\n{"sequence":3}\n', '{"sequence":4}\n'));
    expect(received('audit')).toEqual([
      '{"sequence":1}\n',
      '{"sequence":2,"name":"ü"}\n',
      '{"sequence":3}\n',
      '{"sequence":4}\n',
    ]);
    await put('audit', records('{"sequence":2}\n{"sequence":5}'));
    expect(received('audit').slice(4)).toEqual(['{"sequence":2}\n', '{"sequence":5}']);
    expect(sandbox.receivedCounts()).toMatchObject([{ events: 6, repeats: 1 }]);
  });

  it('fails single records in their places and stores the others', async () => {
    sandbox.script({ target: 'delivery_stream', kind: 'partial', ratio: 0.5, times: 1 });
    const texts = Array.from({ length: 40 }, (_, index) => `event ${index}\n`);
    const response = await put('audit', records(...texts));
    const responses = response.RequestResponses ?? [];
    const failed = responses.filter(({ ErrorCode: code }) => code === 'ServiceUnavailableException');
    expect(failed.length).toBe(response.FailedPutCount);
    expect(failed.length).toBeGreaterThan(5);
    expect(failed.length).toBeLessThan(35);
    expect(received('audit')).toEqual(texts.filter((_, index) => responses[index]?.ErrorCode === undefined));
    expect((await put('audit', records('again'))).FailedPutCount).toBe(0);
  });

  it('describes a stream', async () => {
    expect(await describeStream('audit', client)).toMatchObject({
      DeliveryStreamARN: 'arn:aws:firehose:eu-west-1:123456789012:deliverystream/audit',
      DeliveryStreamStatus: 'ACTIVE',
      DeliveryStreamType: 'DirectPut',
    });
    expect(await describeStream('fed-by-kinesis', client)).toMatchObject({
      DeliveryStreamType: 'KinesisStreamAsSource',
    });
  });

  it.each([
    ['a stream that is not there', 'missing', records('a'), 'ResourceNotFoundException'],
    ['a stream with another source', 'fed-by-kinesis', records('a'), 'InvalidArgumentException'],
    ['a stream that decompresses', 'decompressing', records('a'), 'InvalidSourceException'],
    ['a name that cannot be', 'a b', records('a'), 'ValidationException'],
    ['no records', 'audit', [], 'ValidationException'],
    ['501 records', 'audit', records(...Array.from({ length: 501 }, () => 'a')), 'ValidationException'],
    ['a record over 1,000 KiB', 'audit', records('a'.repeat(1_024_001)), 'ValidationException'],
    [
      'over 4 MiB in base64',
      'audit',
      records(...Array.from({ length: 4 }, () => 'a'.repeat(800_000))),
      'InvalidArgumentException',
    ],
  ])('refuses %s', async (_, name, given, error) => {
    await expect(put(name, given)).rejects.toMatchObject({ name: error, $metadata: { httpStatusCode: 400 } });
    expect(sandbox.received()).toEqual([]);
  });

  it('takes 500 records, one of 1,000 KiB, and 4 MiB in base64', async () => {
    expect((await put('audit', records(...Array.from({ length: 500 }, () => 'a')))).FailedPutCount).toBe(0);
    expect((await put('audit', records('a'.repeat(1_024_000)))).FailedPutCount).toBe(0);
    // Four records of 786,432 bytes are 4 x 1,048,576 characters in base64.
    const full = records(...Array.from({ length: 4 }, () => 'a'.repeat(786_432)));
    expect((await put('audit', full)).FailedPutCount).toBe(0);
  });

  it.each([
    ['an access key that is not one', clientCredentials('AKIAWRONG00000000000'), 'UnrecognizedClientException'],
    ['a session that was never issued', clientCredentials('ASIASANDBOX000000000'), 'UnrecognizedClientException'],
    ['an access key that may do nothing', clientCredentials('AKIADENIED0000000000'), 'AccessDeniedException'],
    ['a wrong secret', clientCredentials('AKIASANDBOXTESTS0000', 'another'), 'InvalidSignatureException'],
  ])('refuses %s', async (_, settings, error) => {
    const other = new FirehoseClient(settings(sandbox));
    await expect(put('audit', records('a'), other)).rejects.toMatchObject({ name: error });
    other.destroy();
    expect(sandbox.received()).toEqual([]);
  });

  it('accepts an unknown access key with a well-formed signature', async () => {
    const other = new FirehoseClient(clientSettings(sandbox, 'AKIAIOSFODNN7EXAMPLE', 'whatever it is'));
    expect((await put('audit', records('a'), other)).FailedPutCount).toBe(0);
    other.destroy();
  });

  it('refuses a clock that is an hour late', async () => {
    const late = new FirehoseClient({ ...clientSettings(sandbox), systemClockOffset: -3_600_000 });
    await expect(put('audit', records('a'), late)).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
    late.destroy();
  });

  it('refuses a request that is not signed', async () => {
    const response = await fetch(sandbox.url, {
      method: 'POST',
      headers: {
        'x-amz-target': 'Firehose_20150804.PutRecordBatch',
        'content-type': 'application/x-amz-json-1.1',
      },
      body: '{"DeliveryStreamName":"audit","Records":[{"Data":"YQ=="}]}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: 'MissingAuthenticationTokenException' });
  });
});

function clientCredentials(accessKeyId: string, secret?: string) {
  return (sandbox: Sandbox) => clientSettings(sandbox, accessKeyId, secret);
}
