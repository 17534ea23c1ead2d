import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Queue, Worker } from 'bullmq';
import { peerStore } from './peer-queue.js';

/**
 * Runs jobs that do nothing with BullMQ, fifty at a time. Prints `filled` when they are queued, starts on a line from
 * standard input, and prints the seconds until the last job completes, as JSON.
 */
const [backend, url, prefix, count] = process.argv.slice(2);
if (!backend || !url || !prefix || !count) throw new Error('Usage: noop-jobs <backend> <address> <prefix> <count>');

const CONCURRENCY = 50;
const JOBS_PER_CALL = 1_000;
/** Enough for the code to be compiled. */
const WARM_UP_JOBS = 1_000;

const { options, factory } = peerStore(backend, url, prefix);

await run('warm-up', WARM_UP_JOBS, () => Promise.resolve());
const seconds = await run('measured', Number(count), async () => {
  process.stdout.write('filled\n');
  await once(createInterface(process.stdin), 'line');
});
process.stdout.write(`${JSON.stringify({ seconds })}\n`);
process.exit(0);

async function run(name: string, jobs: number, ready: () => Promise<void>): Promise<number> {
  const queue = new Queue(name, options, factory);
  for (let first = 0; first < jobs; first += JOBS_PER_CALL) {
    const some = Array.from({ length: Math.min(JOBS_PER_CALL, jobs - first) }, (_, index) => ({
      name: 'event',
      data: { eventId: `evt_${first + index}` },
      opts: { removeOnComplete: true },
    }));
    await queue.addBulk(some);
  }
  const worker = new Worker(
    name,
    () => Promise.resolve(),
    { ...options, concurrency: CONCURRENCY, autorun: false },
    factory,
  );
  await worker.waitUntilReady();
  await ready();
  const startedAt = performance.now();
  let completed = 0;
  await new Promise<void>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('completed', () => {
      completed += 1;
      if (completed === jobs) resolve();
    });
    worker.run().catch(reject);
  });
  const elapsed = (performance.now() - startedAt) / 1_000;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  return elapsed;
}
