import type { PoolTurns } from '../database/connections/pool-turns.js';
import { Problem } from '../problems/problem.js';
import { Turns, type LevelShare, type TurnLimits } from '../timing/turns.js';

/** Most that wait, and for how long. */
const WAITING: Pick<TurnLimits, 'waiting' | 'waitMs'> = { waiting: [1_000], waitMs: 10_000 };
/** Works take turns by account. One that is alone leaves a turn to a neighbour who comes. */
const works: readonly LevelShare[] = [{ alone: 3 / 4, among: 1 / 2 }];
/** Renewals take turns by session: a renewal waits for the report of its session, which has locked the lease. */
const renewals: readonly LevelShare[] = [{ alone: 1 / 4, among: 1 / 4 }];

/**
 * Does the work of a request when it is the turn of a name. Who waits is served by turns, one name after the other.
 * @throws Problem `unavailable` when too many wait, or after too long a wait
 */
export type InTurn = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** The turns of the data-plane API. */
export interface DataPlaneTurns {
  /** Transactions, by account. What is of no account has a name of its own. */
  readonly works: InTurn;
  /** What takes one short statement, by session: so no report delays the renewal of another session. */
  readonly renewals: InTurn;
}

/** Makes the turns of the data-plane API. */
export function dataPlaneTurns(
  turns: Pick<PoolTurns, 'works' | 'renewals'>,
  waiting: Pick<TurnLimits, 'waiting' | 'waitMs'> = WAITING,
): DataPlaneTurns {
  return {
    works: inTurnOf({ ...waiting, turns: turns.works, shares: works }),
    renewals: inTurnOf({ ...waiting, turns: turns.renewals, shares: renewals }),
  };
}

function inTurnOf(limits: TurnLimits): InTurn {
  const turns = new Turns(limits);
  return async (name, work) => {
    const turn = await turns.take([name]);
    if (turn === null) {
      const detail = 'The data-plane API was busy with earlier requests. Retry after 2 s.';
      throw new Problem('unavailable', detail);
    }
    try {
      return await work();
    } finally {
      turn.end();
    }
  };
}
