import { KinesisClient, PutRecordCommand, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SANDBOX_SECRET_ACCESS_KEY } from '@waybill/sandbox';
import { Worker, type IQueueBackend } from 'bullmq';
import { PEER_QUEUE, peerStore, type PeerJob } from './peer-queue.js';

/**
 * What a team writes by itself to deliver events, with BullMQ's retries. `plain`: one call for each job. `batched`:
 * jobs of some milliseconds, or 500 of them, in one call. Prints `ready`; stops on SIGTERM.
 */
const [mode, backend, url, prefix] = process.argv.slice(2);
if ((mode !== 'plain' && mode !== 'batched') || !backend || !url || !prefix)
  throw new Error('Usage: peer-worker <plain | batched> <backend> <address> <prefix>');

const CONCURRENCY = { plain: 50, batched: 1_000 };
/** https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutRecords.html */
const MOST_RECORDS = 500;
const COLLECT_MS = 10;

const client = new KinesisClient({
  region: 'eu-central-1',
  // HTTP/1.1 as Waybill uses it; the client's default is HTTP/2.
  requestHandler: new NodeHttpHandler(),
  credentials: { accessKeyId: 'AKIASANDBOXDEMO00001', secretAccessKey: SANDBOX_SECRET_ACCESS_KEY },
});

interface Waiting {
  readonly job: PeerJob;
  resolve(): void;
  reject(error: unknown): void;
}

const waitingByStream = new Map<string, Waiting[]>();

async function send({ stream, key, body }: PeerJob): Promise<void> {
  await client.send(new PutRecordCommand({ StreamARN: stream, PartitionKey: key, Data: Buffer.from(body) }));
}

function collect(job: PeerJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const waiting = waitingByStream.get(job.stream) ?? [];
    waitingByStream.set(job.stream, waiting);
    waiting.push({ job, resolve, reject });
    if (waiting.length === MOST_RECORDS) void flush(job.stream);
    else if (waiting.length === 1) setTimeout(() => void flush(job.stream), COLLECT_MS);
  });
}

async function flush(stream: string): Promise<void> {
  const waiting = waitingByStream.get(stream) ?? [];
  waitingByStream.delete(stream);
  if (waiting.length === 0) return;
  try {
    const records = waiting.map(({ job }) => ({ PartitionKey: job.key, Data: Buffer.from(job.body) }));
    const { Records: results = [] } = await client.send(new PutRecordsCommand({ StreamARN: stream, Records: records }));
    for (const [index, one] of waiting.entries()) {
      const code = results[index]?.ErrorCode;
      if (code === undefined) one.resolve();
      else one.reject(new Error(code));
    }
  } catch (error) {
    for (const one of waiting) one.reject(error);
  }
}

const { options, factory } = peerStore(backend, url, prefix);
const handle = mode === 'plain' ? send : collect;
const worker = new Worker<PeerJob, void, string, IQueueBackend>(
  PEER_QUEUE,
  (job) => handle(job.data),
  { ...options, concurrency: CONCURRENCY[mode] },
  factory,
);
worker.on('error', (error) => process.stderr.write(`${error.message}\n`));
worker.on('failed', (_job, error) => process.stderr.write(`${error.message}\n`));
await worker.waitUntilReady();
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
process.stdout.write('ready\n');
