import { Problem } from '../problems/problem.js';
import { Turns } from '../timing/turns.js';

/**
 * Works of gateways that are under way at once, in a process. Each holds a connection of the pool for its transaction:
 * twenty reports at once left none for the API.
 */
export const WORKS_AT_ONCE = 4;
/** Most that wait, and for how long. */
const LIMITS = { turns: WORKS_AT_ONCE, waiting: [1_000], waitMs: 10_000 };

/**
 * Does the work of a request when it is its turn.
 * @throws Problem `unavailable` when too many wait, or after too long a wait
 */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes the turns of the data-plane API. */
export function dataPlaneTurns(limits = LIMITS): InTurn {
  const turns = new Turns(limits);
  return async (work) => {
    const turn = await turns.take([]);
    if (turn === null) {
      const detail = 'The data-plane API was busy with earlier requests. Retry after 2 s.';
      throw new Problem('unavailable', 'unavailable', detail, { retryAfterSeconds: 2 });
    }
    try {
      return await work();
    } finally {
      turn.end();
    }
  };
}
