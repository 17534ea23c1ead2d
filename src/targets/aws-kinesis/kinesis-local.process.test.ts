import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import {
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import { deaggregateSync } from 'aws-kinesis-agg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exampleEvents } from '../../../test/targets/conformance/events.js';
import { httpHandler } from '../aws/http-handler.js';
import { dataStream } from './target.js';

const require = createRequire(import.meta.url);
const REGION = 'eu-central-1';
const ACCOUNT = '123456789012';
const STREAM = 'audit';
const arnOf = (name: string): string => `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/${name}`;
const auth = {
  role: null,
  creds: { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'any secret will do' },
};
const ENDPOINT_VARIABLE = 'AWS_ENDPOINT_URL_KINESIS';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  server.close();
  await once(server, 'close');
  return address.port;
}

const connect = (name: string, records: 'one_event' | 'packed' = 'one_event') =>
  dataStream.connect(
    { auth, stream_arn: arnOf(name), records },
    { destinationId: 'ed_1', externalId: 'unused', settings: { sendTimeoutMs: 20_000 } },
  );
const deadline = (): AbortSignal => AbortSignal.timeout(20_000);

/** A second opinion on the protocol, by people who know nothing of our sandbox. */
describe('the data stream target against kinesis-local', () => {
  let server: ChildProcess | undefined;
  let reader: KinesisClient | undefined;

  beforeAll(async () => {
    const [plainPort, tlsPort] = [await freePort(), await freePort()];
    server = spawn(process.execPath, ['main.js'], {
      // It looks for its certificate in the folder that it runs in.
      cwd: dirname(require.resolve('kinesis-local/package.json')),
      env: {
        KINESIS_MOCK_PLAIN_PORT: String(plainPort),
        KINESIS_MOCK_TLS_PORT: String(tlsPort),
        INITIALIZE_STREAMS: `${STREAM}:2`,
        AWS_REGION: REGION,
        AWS_ACCOUNT_ID: ACCOUNT,
        LOG_LEVEL: 'ERROR',
      },
      stdio: 'ignore',
    });
    const endpoint = `http://127.0.0.1:${plainPort}`;
    vi.stubEnv(ENDPOINT_VARIABLE, endpoint);
    reader = new KinesisClient({
      endpoint,
      region: REGION,
      maxAttempts: 1,
      requestHandler: httpHandler(20_000),
      credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'any' },
    });
    await vi.waitFor(() => mustBeActive(reader), {
      timeout: 60_000,
      interval: 250,
    });
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    if (server?.exitCode === null) {
      // Asked politely, it waits for idle connections to go first.
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  });

  it('delivers many events of few resources, each resource’s in order on one shard', async () => {
    const resources = ['ipp_a', 'ipp_b', 'ipp_c', 'ipp_d'];
    const events = exampleEvents(300, { text: 'ü漢👩' }).map((event, index) => ({
      ...event,
      resourceId: resources[index % resources.length] ?? '',
    }));
    const connection = connect(STREAM);
    // Four events share a call, so it takes more calls than an attempt makes.
    for (let rest = events; rest.length > 0;) {
      const outcomes = await connection.send(rest, deadline());
      expect(outcomes[0]).toEqual({ kind: 'delivered' });
      rest = rest.filter((_, index) => outcomes[index]?.kind === 'postponed');
    }

    const shards = await read(reader);
    for (const resource of resources) {
      const holding = shards.filter((shard) => shard.some(({ key }) => key === resource));
      expect(holding).toHaveLength(1);
      expect(
        holding
          .flat()
          .filter(({ key }) => key === resource)
          .map(({ text }) => text),
      ).toEqual(events.filter(({ resourceId }) => resourceId === resource).map(({ json }) => json));
    }
  });

  it('delivers packed events that the module of AWS reads, each resource’s in order on one shard', async () => {
    const resources = ['ipp_p', 'ipp_q', 'ipp_r', 'ipp_s', 'ipp_t'];
    const events = exampleEvents(500, { text: 'ü漢👩' }).map((event, index) => ({
      ...event,
      resourceId: resources[index % resources.length] ?? '',
    }));
    const outcomes = await connect(STREAM, 'packed').send(events, deadline());
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['delivered']));

    const shards = await read(reader);
    for (const resource of resources) {
      const records = shards.map((shard) => shard.filter(({ key }) => key === resource));
      expect(records.filter((ofShard) => ofShard.length > 0)).toHaveLength(1);
      expect(records.flat().flatMap(({ data }) => deaggregated(data, resource))).toEqual(
        events.filter(({ resourceId }) => resourceId === resource).map(({ json }) => json),
      );
    }
  });

  it('reports a missing stream as a misconfigured destination', async () => {
    const outcomes = await connect('nowhere').send(exampleEvents(2), deadline());
    const missing = { kind: 'misconfigured', reason: { code: 'ResourceNotFoundException' } };
    expect(outcomes).toMatchObject([missing, missing]);
  });
});

async function mustBeActive(client: KinesisClient | undefined): Promise<void> {
  const response = await client?.send(new DescribeStreamSummaryCommand({ StreamARN: arnOf(STREAM) }));
  const status = response?.StreamDescriptionSummary?.StreamStatus;
  if (status !== 'ACTIVE') throw new Error(`The stream is ${status}.`);
}

/** The events of an aggregated record, all with this partition key. */
function deaggregated(data: Buffer, key: string): readonly string[] {
  const payload = {
    data: data.toString('base64'),
    partitionKey: key,
    sequenceNumber: '49',
    kinesisSchemaVersion: '1.0',
    approximateArrivalTimestamp: 0,
  };
  let texts: readonly string[] = [];
  deaggregateSync(payload, true, (error, records = []) => {
    // Null without an error, whatever its type says.
    if (error) throw error;
    expect(new Set(records.map(({ partitionKey }) => partitionKey))).toEqual(new Set([key]));
    texts = records.map((record) => Buffer.from(record.data, 'base64').toString());
  });
  return texts;
}

/** Everything that the stream holds, shard by shard. */
async function read(client: KinesisClient | undefined): Promise<{ key: string; text: string; data: Buffer }[][]> {
  if (!client) throw new Error('The stand-in is not running.');
  const { Shards = [] } = await client.send(new ListShardsCommand({ StreamARN: arnOf(STREAM) }));
  return Promise.all(
    Shards.map(async ({ ShardId }) => {
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({ StreamARN: arnOf(STREAM), ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      );
      const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: 1000 }));
      return Records.map(({ PartitionKey = '', Data }) => {
        const data = Buffer.from(Data ?? []);
        return { key: PartitionKey, text: data.toString(), data };
      });
    }),
  );
}
