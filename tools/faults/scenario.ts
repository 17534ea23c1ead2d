import type { TargetKind } from '../../src/targets/target.js';
import type { Backend } from '../bench/result.js';
import type { Count } from './count/count.js';
import type { FaultStage } from './environment/fault-stage.js';

/**
 * One fault, played against real processes under a steady load.
 *
 * To write one: a file in `scenarios/` that exports a `Scenario`, and a line in `scenarios.ts`. `run` is given a fresh stage: an
 * empty database, on the Redis backend a Redis of its own, a sandbox, and no process yet. It goes like this:
 *
 *     await stage.crew.start('api');                  // 'api', 'worker' or 'service' (both roles); a second one is 'worker-2'.
 *     await stage.crew.start('worker', { settings: { WORKER_CONCURRENCY: '2' } });
 *     await stage.subscribe(['data_stream', 'monitoring']);   // a destination of each kind; or stage.createDestination first
 *     await stage.startLoad(50);                      // changes a second, until prove(); stage.pass(seconds) lets time go by
 *     ... the fault ...
 *     return stage.prove();                           // stops the load, waits for the rest, counts at the sandbox
 *
 * What there is to break: `stage.crew` (stop, kill, killAndStart, pause, resume, each by name), `stage.redis` (stop, kill, start, `client`
 * for commands), `stage.postgres` (stop, kill, start, pause, resume,
 * terminateConnections(stage.databaseName)), `stage.sandbox` (script a fault,
 * clearFaults, goAway; `destination.address` picks a destination), `stage.query` (the scenario's database), `stage.api` (a client of the API).
 * Redis and Postgres keep their ports and data.
 *
 * What is to be shown beside the count: `stage.expect(holds, text)` for what must be so, `stage.note(text)` for a figure,
 * `stage.say(text)` for progress. `stage.pick(full, short)` for what the short form does less of. Throw `CannotPlay` where
 * the machine lacks something. Prove that the fault happened: a
 * scenario whose fault never struck proves nothing, so expect() a trace of it (repeats, an error in the log, a count in the database).
 */
export interface Scenario {
  /** For `--only`, and the table: lower case, words with hyphens. */
  readonly name: string;
  /** What is done, in a line. */
  readonly title: string;
  /** The backends on which it says anything. */
  readonly backends: readonly Backend[];
  /** Part of `--short`, on these backends. */
  readonly short: readonly Backend[];
  /**
   * Targets at which its count may show the order of a destination broken: the vendor itself stored a part of a call. Never that of
   * a resource. None unless told.
   */
  readonly breaksDestinationOrder?: readonly TargetKind[];
  /** Events that it has each target refuse for good, and that must be shown as rejected: neither lost nor a gap. None unless told. */
  readonly rejects?: number;
  run(stage: FaultStage): Promise<Count>;
}

export const bothBackends: readonly Backend[] = ['redis', 'postgres'];

/** Thrown where a scenario needs something of the machine that it does not have: it is reported as not played. */
export class CannotPlay extends Error {
  override readonly name = 'CannotPlay';
}
