import { Queue, type IQueueBackend } from 'bullmq';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { newId } from '../../../src/ids/id.js';
import { PAYLOAD_BYTES } from '../payload-bytes.js';
import { PEER_QUEUE, peerStore, type PeerJob } from './peer-queue.js';

/**
 * What a team writes by itself to publish changes: a route that inserts a row and, after the commit, adds a job for the
 * event and each destination. A process that dies in between loses the event. Prints its address on a line; stops on
 * SIGTERM.
 */
const [connectionString, poolSize, backend, url, prefix, streams] = process.argv.slice(2);
if (!connectionString || !poolSize || !backend || !url || !prefix || !streams)
  throw new Error(
    'Usage: peer-publisher <connection string> <connections> <backend> <address> <prefix> <ARNs of streams>',
  );

const JOBS_PER_CALL = 1_000;
const arns = streams.split(',');
const pool = new Pool({ connectionString, max: Number(poolSize) });
await pool.query(
  'create table if not exists peer_changes (id text primary key, payload text not null, created_at timestamptz not null)',
);
const { options, factory } = peerStore(backend, url, prefix);
const queue = new Queue<PeerJob, void, string, PeerJob, void, string, IQueueBackend>(
  PEER_QUEUE,
  {
    ...options,
    // About as long as an outage of a minute.
    defaultJobOptions: { removeOnComplete: true, attempts: 10, backoff: { type: 'exponential', delay: 100 } },
  },
  factory,
);
await queue.waitUntilReady();

/** Numbers the events, so that the sandbox can count repeats. Nothing else reads it. */
let sequence = 0;

function eventOf(resource: string, operationId: string, object: unknown): string {
  sequence += 1;
  const event = { event_id: newId('evt'), object, request: { operation_id: operationId }, resource, padding: '' };
  const length = JSON.stringify(event).length;
  event.padding = 'x'.repeat(Math.max(0, PAYLOAD_BYTES - length));
  return `${JSON.stringify(event).slice(0, -1)},"epoch":1,"sequence":${sequence}}`;
}

function jobsOf(key: string, body: string) {
  return arns.map((stream) => ({ name: 'event', data: { stream, key, body } }));
}

const server = fastify();

server.post('/ip_policies', async (request, reply) => {
  const id = newId('ipp');
  const operationId = newId('op');
  const body = eventOf(id, operationId, request.body);
  await pool.query('insert into peer_changes (id, payload, created_at) values ($1, $2, now())', [id, body]);
  const jobs = jobsOf(id, body);
  for (let first = 0; first < jobs.length; first += JOBS_PER_CALL)
    await queue.addBulk(jobs.slice(first, first + JOBS_PER_CALL));
  return reply.code(201).header('operation-id', operationId).send({ id });
});

/** Adds the jobs of a backlog, without rows. The queue is paused until `POST /release`. */
server.post('/backlog', async (request, reply) => {
  const { events, ofOneResource } = request.body as { events: number; ofOneResource: boolean };
  await queue.pause();
  let added: ReturnType<typeof jobsOf> = [];
  for (let event = 1; event <= events; event += 1) {
    const resource = ofOneResource ? 'ipp_one' : `ipp_${event}`;
    added.push(...jobsOf(resource, eventOf(resource, newId('op'), null)));
    if (added.length < JOBS_PER_CALL && event < events) continue;
    await queue.addBulk(added);
    added = [];
  }
  return reply.code(201).send({});
});

server.post('/release', async (_request, reply) => {
  await queue.resume();
  return reply.code(201).send({});
});

process.once('SIGTERM', () => {
  void server
    .close()
    .then(() => queue.obliterate({ force: true }))
    .then(() => Promise.all([queue.close(), pool.end()]))
    .then(() => process.exit(0));
});
process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
