import type { Config } from '../../config/config.js';

/** Part of the connections of the pool for the turns of requests, without those of costly ones. */
const PART_OF_POOL = 0.7;
/** Part of the turns of clients that costly requests have in addition. */
const COSTLY_PART = 1 / 4;
/** Part of the connections of the pool for the works of gateways. */
const GATEWAY_PART = 0.15;
/** Each work of a gateway holds a connection for its transaction, and more of them are hardly faster. */
const MOST_OF_GATEWAYS = 3;

/** How many requests of each kind a process handles at once. Each holds a connection of the pool at most. */
export interface PoolTurns {
  /** Requests of clients that are not costly. */
  readonly usual: number;
  readonly costly: number;
  /** Works and renewals of gateways. 0 in a process that serves none. */
  readonly works: number;
  readonly renewals: number;
}

/**
 * Divides the connections of the pool. At least an eighth of them, and one, is left for keys, sign-in, health and the
 * worker, where the pool has six or more: each kind has one turn even in the smallest pool.
 */
export function poolTurns({
  DATABASE_POOL_SIZE: poolSize,
  DATA_PLANE_KEY: reports,
  DATA_PLANE_CONFIG_KEY: configuration,
}: Pick<Config, 'DATABASE_POOL_SIZE' | 'DATA_PLANE_KEY' | 'DATA_PLANE_CONFIG_KEY'>): PoolTurns {
  const servesGateways = reports !== undefined || configuration !== undefined;
  const works = servesGateways ? Math.min(MOST_OF_GATEWAYS, Math.max(1, Math.floor(poolSize * GATEWAY_PART))) : 0;
  // A renewal waits for the report of its session: one turn is left where every report has one that waits.
  const renewals = servesGateways ? works + 1 : 0;
  const usual = Math.max(1, Math.floor(poolSize * PART_OF_POOL) - works - renewals);
  return {
    usual,
    costly: Math.max(1, Math.floor(usual * COSTLY_PART)),
    works,
    renewals,
  };
}
