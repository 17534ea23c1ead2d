import { Redis } from 'ioredis';
import { z } from 'zod';
import { redisSockets } from '../../config/redis-sockets.js';
import type { Witness } from './witness.js';

/**
 * KEYS[1]: a hash of marks, `epoch:sequence` by destination. ARGV: pairs of a field and its mark. Writes the marks that
 * are higher than those in the hash.
 */
const ADD = `
local function higher(a, b)
  local ae, as = string.match(a, '^(%d+):(%d+)$')
  local be, bs = string.match(b, '^(%d+):(%d+)$')
  ae, as, be, bs = tonumber(ae), tonumber(as), tonumber(be), tonumber(bs)
  return ae > be or (ae == be and as > bs)
end
for index = 1, #ARGV, 2 do
  local known = redis.call('HGET', KEYS[1], ARGV[index])
  if not known or higher(ARGV[index + 1], known) then
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
  end
end`;

/** The fields of the highest epoch and of the number of cleanups: no ids of destinations. */
const EPOCH_FIELD = 'epoch';
const CLEANUPS_FIELD = 'cleanups';

/** Marks of one call: it blocks Redis for well under a millisecond. */
const MARKS_PER_CALL = 200;

/** Longest wait for one response, in milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;

const fields = z.record(
  z.string(),
  z
    .string()
    .regex(/^\d+:\d+$/)
    .transform((mark) => {
      const [epoch, sequence] = mark.split(':');
      return { epoch: Number(epoch), sequence: Number(sequence) };
    }),
);

/**
 * Opens the witness in the queue store. Redis need not be up yet.
 * @param prefix prefix of every key in Redis
 * @param stop when it aborts, calls fail that wait for a Redis that was not reached
 */
export function openRedisWitness(url: string, prefix: string, stop?: AbortSignal): Witness {
  const key = `${prefix}:witness`;
  const redis = new Redis(url, {
    ...redisSockets,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Each command reports its own failure.
  redis.on('error', () => {});
  const call = <Result>(command: () => Promise<Result>): Promise<Result> =>
    unlessStopped(command, () => redis.status !== 'ready', stop);
  return {
    async read() {
      const known = fields.parse(await call(() => redis.hgetall(key)));
      const { [EPOCH_FIELD]: epoch, [CLEANUPS_FIELD]: cleanups, ...lanes } = known;
      return { epoch: epoch?.epoch ?? 0, lanes: new Map(Object.entries(lanes)), cleanups: cleanups?.epoch ?? 0 };
    },
    async add({ epoch, lanes, cleanups }) {
      const marks = [...lanes].flatMap(([id, mark]) => [id, `${mark.epoch}:${mark.sequence}`]);
      if (epoch > 0) marks.push(EPOCH_FIELD, `${epoch}:0`);
      if (cleanups > 0) marks.push(CLEANUPS_FIELD, `${cleanups}:0`);
      for (let start = 0; start < marks.length; start += 2 * MARKS_PER_CALL)
        await call(() => redis.eval(ADD, 1, key, ...marks.slice(start, start + 2 * MARKS_PER_CALL)));
    },
    async forget(destinationIds) {
      for (let start = 0; start < destinationIds.length; start += MARKS_PER_CALL)
        await call(() => redis.hdel(key, ...destinationIds.slice(start, start + MARKS_PER_CALL)));
    },
    async close() {
      redis.disconnect();
      await Promise.resolve();
    },
  };
}

/**
 * Returns what the command resolves to.
 * @throws what the command rejects with; Error at once when `stop` aborts while Redis is not reached: ioredis would
 * keep the command until its timeout
 */
async function unlessStopped<Result>(
  command: () => Promise<Result>,
  isAway: () => boolean,
  stop: AbortSignal | undefined,
): Promise<Result> {
  if (!stop) return command();
  return new Promise((resolve, reject) => {
    const onStop = (): void => {
      if (isAway()) reject(new Error('Redis was not reached before the process was stopped.'));
    };
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop);
    command()
      .then(resolve, reject)
      .finally(() => stop.removeEventListener('abort', onStop));
  });
}
