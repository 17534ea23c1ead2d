import { Problem } from '../problems/problem.js';
import { Turns, type TurnLimits } from '../timing/turns.js';

/**
 * Works of gateways that are under way at once, in a process. Each holds a connection of the pool for its transaction:
 * twenty reports at once left none for the API.
 */
export const WORKS_AT_ONCE = 4;
/** Most that wait, and for how long. */
const WAITING = { waiting: [1_000], waitMs: 10_000 };
/** Works take turns by account. One that is alone leaves a turn to a neighbour who comes. */
const WORKS: TurnLimits = { ...WAITING, turns: WORKS_AT_ONCE, shares: [{ alone: 3 / 4, among: 1 / 2 }] };
/** Renewals take turns by session: a renewal waits for the report of its session, which has locked the lease. */
const RENEWALS: TurnLimits = { ...WAITING, turns: 4, shares: [{ alone: 1 / 4, among: 1 / 4 }] };

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
export function dataPlaneTurns(works = WORKS, renewals = RENEWALS): DataPlaneTurns {
  return { works: inTurnOf(works), renewals: inTurnOf(renewals) };
}

function inTurnOf(limits: TurnLimits): InTurn {
  const turns = new Turns(limits);
  return async (name, work) => {
    const turn = await turns.take([name]);
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
