import {
  KinesisClient,
  PutRecordCommand,
  PutRecordsCommand,
  type PutRecordsRequestEntry,
} from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { aggregate, type EncodedRecord } from 'aws-kinesis-agg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { clientSettings } from './testing.js';

const STREAM = 'arn:aws:kinesis:eu-west-1:123456789012:stream/audit';

const record = (text: string, key = 'key'): PutRecordsRequestEntry => ({
  Data: Buffer.from(text),
  PartitionKey: key,
});

describe('the Kinesis protocol', () => {
  let sandbox: Sandbox;
  let client: KinesisClient;

  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7 });
    client = new KinesisClient({ ...clientSettings(sandbox), requestHandler: new NodeHttpHandler() });
  });

  afterEach(() => sandbox.clear());

  afterAll(async () => {
    client.destroy();
    await sandbox.close();
  });

  const put = (arn: string, given: PutRecordsRequestEntry[]) =>
    client.send(new PutRecordsCommand({ StreamARN: arn, Records: given }));

  it('stores records with their partition keys, in order, under the ARN of the stream', async () => {
    const response = await put(STREAM, [record('one', 'ü'), record('two', 'b')]);
    expect(response.FailedRecordCount).toBe(0);
    const [first, second] = response.Records ?? [];
    expect(BigInt(first?.SequenceNumber ?? 0) < BigInt(second?.SequenceNumber ?? 0)).toBe(true);
    expect(sandbox.received({ target: 'data_stream' })).toMatchObject([
      { address: STREAM, body: 'one', partitionKey: 'ü' },
      { address: STREAM, body: 'two', partitionKey: 'b' },
    ]);
  });

  it('stores a single record', async () => {
    const single = new PutRecordCommand({ StreamARN: STREAM, Data: Buffer.from('one'), PartitionKey: 'key' });
    expect(await client.send(single)).toMatchObject({
      ShardId: expect.any(String),
      SequenceNumber: expect.any(String),
    });
    expect(sandbox.received()).toMatchObject([{ address: STREAM, body: 'one', partitionKey: 'key' }]);
  });

  it('stores the records of an aggregated record as a consumer reads them', async () => {
    const encoded = await new Promise<EncodedRecord>((resolve, reject) => {
      const events = [
        { partitionKey: 'a', data: Buffer.from('{"name":"ü","sequence":1}') },
        { partitionKey: 'b', data: Buffer.from('{"sequence":2}') },
        { partitionKey: 'a', data: Buffer.from('x'.repeat(20_000)) },
      ];
      aggregate(events, resolve, () => undefined, reject);
    });
    const data = Buffer.from(encoded.data);
    await put(STREAM, [{ Data: data, PartitionKey: 'a' }, record('{"sequence":3}', 'c')]);
    expect(sandbox.received().map(({ body, partitionKey }) => [partitionKey, body])).toEqual([
      ['a', '{"name":"ü","sequence":1}'],
      ['b', '{"sequence":2}'],
      ['a', 'x'.repeat(20_000)],
      ['c', '{"sequence":3}'],
    ]);
    sandbox.clear();
    data.writeUInt8(data.readUInt8(30) ^ 1, 30);
    await put(STREAM, [{ Data: data, PartitionKey: 'a' }]);
    expect(sandbox.received()).toMatchObject([{ partitionKey: 'a', body: data.toString('utf8') }]);
  });

  it('fails single records in their places and stores the others', async () => {
    sandbox.script({ target: 'data_stream', address: STREAM, kind: 'partial', ratio: 0.5, times: 1 });
    const texts = Array.from({ length: 40 }, (_, index) => `event ${index}`);
    const response = await put(
      STREAM,
      texts.map((text) => record(text)),
    );
    const failed = (response.Records ?? []).map(
      ({ ErrorCode: code }) => code === 'ProvisionedThroughputExceededException',
    );
    expect(failed.filter(Boolean).length).toBe(response.FailedRecordCount);
    expect(response.FailedRecordCount).toBeGreaterThan(5);
    expect(response.FailedRecordCount).toBeLessThan(35);
    expect(sandbox.received().map(({ body }) => body)).toEqual(texts.filter((_, index) => failed[index] !== true));
  });

  const mebibyte = 1_048_576;

  it.each([
    [
      'a stream that is not there',
      'arn:aws:kinesis:eu-west-1:123456789012:stream/missing',
      [record('a')],
      'ResourceNotFoundException',
    ],
    [
      'a stream of another region',
      'arn:aws:kinesis:us-east-1:123456789012:stream/audit',
      [record('a')],
      'ResourceNotFoundException',
    ],
    ['no records', STREAM, [], 'ValidationException'],
    ['501 records', STREAM, Array.from({ length: 501 }, () => record('a')), 'ValidationException'],
    ['an empty partition key', STREAM, [record('a', '')], 'ValidationException'],
    ['a partition key of 257 characters', STREAM, [record('a', 'k'.repeat(257))], 'ValidationException'],
    ['a record over 1 MiB with its key', STREAM, [record('a'.repeat(mebibyte), 'k')], 'ValidationException'],
    [
      'a call over 5 MiB',
      STREAM,
      Array.from({ length: 6 }, () => record('a'.repeat(mebibyte - 3))),
      'InvalidArgumentException',
    ],
  ])('refuses %s', async (_, arn, given, error) => {
    await expect(put(arn, given)).rejects.toMatchObject({ name: error, $metadata: { httpStatusCode: 400 } });
    expect(sandbox.received()).toEqual([]);
  });

  it('takes 500 records, keys of 256 characters, and 5 MiB with the keys', async () => {
    const many = Array.from({ length: 500 }, () => record('a', 'k'.repeat(256)));
    expect((await put(STREAM, many)).FailedRecordCount).toBe(0);
    const full = Array.from({ length: 5 }, () => record('a'.repeat(mebibyte - 3)));
    expect((await put(STREAM, full)).FailedRecordCount).toBe(0);
  });
});
