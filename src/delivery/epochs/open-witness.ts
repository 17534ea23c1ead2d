import type { Config } from '../../config/config.js';
import { openFileWitness } from './file-witness.js';
import { openRedisWitness } from './redis-witness.js';
import { combined, type Witness } from './witness.js';

/**
 * Opens the witnesses of the settings: Redis and WITNESS_FILE. Null without either: queues in Postgres are in the same
 * database, and a restore takes them back with it.
 * @param stop aborts when the process is asked to stop
 */
export function openWitness(
  config: Pick<Config, 'REDIS_URL' | 'QUEUE_PREFIX' | 'WITNESS_FILE'>,
  stop?: AbortSignal,
): Witness | null {
  const witnesses = [
    ...(config.REDIS_URL === undefined ? [] : [openRedisWitness(config.REDIS_URL, config.QUEUE_PREFIX, stop)]),
    ...(config.WITNESS_FILE === undefined ? [] : [openFileWitness(config.WITNESS_FILE)]),
  ];
  return witnesses.length === 0 ? null : combined(witnesses);
}
