import { createRedisBackend, type BackendFactory, type RedisQueueBackend } from 'bullmq';

/**
 * Looks at what waits behind the job that was just taken. When no job waits, removes the marker that wakes workers:
 * BullMQ sets it with each job taken, in case that others wait. Returns whether none waits, and when the next delayed
 * job is due (milliseconds since the epoch), or 0.
 */
const LOOK_BEHIND = `
  local due = 0
  local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
  -- BullMQ's score of a delayed job: its time, shifted by twelve bits.
  if first[2] then due = math.floor(tonumber(first[2]) / 0x1000) end
  if redis.call('LLEN', KEYS[1]) > 0 or redis.call('ZCARD', KEYS[2]) > 0 then return {0, due} end
  redis.call('ZREM', KEYS[4], '0')
  return {1, due}`;

/** The options of an ioredis client that workers share. */
export const workerScripts = { waybillLookBehind: { lua: LOOK_BEHIND, numberOfKeys: 4 } };

/** BullMQ's name of the script that takes a job, without its version. */
const TAKE_JOB = 'moveToActive';

type Execute = RedisQueueBackend['execCommand'];

/**
 * BullMQ's backend on Redis, whose workers ask for less. After each job, a worker of BullMQ asks twice for another one,
 * and waits once without need. Here the job arrives with the answer, so the next request needs no round trip.
 *
 * No job is missed: when none waits, the marker is removed in the same step. A job that is added later sets it again,
 * and ends the wait that follows. Only a wait takes a marker. So an answer counts until the next wait, and only if no
 * wait ran beside its request. A request can run beside a wait: a worker makes one after it has delayed a job.
 */
export const createQuietRedisBackend: BackendFactory<RedisQueueBackend> = (name, options, how) => {
  const backend = createRedisBackend(name, options, how);
  if (how?.withBlockingConnection !== true) return backend;
  const keys = ['wait', 'prioritized', 'delayed', 'marker'].map((key) => backend.toKey(key));
  const execute: Execute = backend.execCommand.bind(backend);
  const waitForJob = backend.waitForJob.bind(backend);
  /** BullMQ's result for a queue without waiting jobs: the answer to the next request; null: it is unknown. */
  let nothing: readonly number[] | null = null;
  /** How many waits have begun and how many have ended, together: odd during a wait. */
  let waitSteps = 0;

  const take = async (client: Parameters<Execute>[0], args: Parameters<Execute>[2]): Promise<unknown> => {
    if (nothing) {
      const known = nothing;
      nothing = null;
      return known;
    }
    if (!('pipeline' in client)) return execute(client, TAKE_JOB, args);
    const stepsBefore = waitSteps;
    const pipeline = client.pipeline();
    execute(pipeline, TAKE_JOB, args);
    pipeline.runCommand('waybillLookBehind', keys);
    const [taken, behind] = (await pipeline.exec()) ?? [];
    if (!taken) throw new Error('Redis did not respond to a request for a job.');
    if (taken[0]) throw taken[0];
    const job: unknown = taken[1];
    const isJob = Array.isArray(job) && Boolean(job[0]);
    if (isJob && behind && !behind[0] && Array.isArray(behind[1])) {
      const [isLast, due] = behind[1].map(Number);
      const isBesideWait = stepsBefore % 2 === 1 || stepsBefore !== waitSteps;
      if (isLast === 1 && !isBesideWait) nothing = [0, 0, 0, due ?? 0];
    }
    return job;
  };

  return Object.assign(backend, {
    execCommand: (client, command, args) =>
      command === TAKE_JOB ? take(client, args) : execute(client, command, args),
    waitForJob: async (seconds) => {
      // What is known ends here: the wait may take the marker of a new job.
      nothing = null;
      waitSteps += 1;
      try {
        return await waitForJob(seconds);
      } finally {
        waitSteps += 1;
      }
    },
  } satisfies Pick<RedisQueueBackend, 'execCommand' | 'waitForJob'>);
};
