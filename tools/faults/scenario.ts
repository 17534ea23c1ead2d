import type { TargetKind } from '../../src/targets/target.js';
import type { Backend } from '../harness/options.js';
import type { Count } from './count/count.js';
import type { ScenarioEnvironment } from './environment/scenario-environment.js';

/**
 * One fault, injected into real processes under a steady load.
 *
 * To write one: add a file in `scenarios/` that exports a `Scenario`, and a line in `scenarios.ts`. `run` gets a new
 * environment: an empty database, a Redis on the Redis backend, a sandbox, and no process.
 *
 *     // Starts an api and a worker, a destination of each kind, and 50 changes per second until verify().
 *     await environment.begin(['data_stream', 'monitoring'], 50);
 *     await environment.processes.start('worker-2', { settings: { WORKER_CONCURRENCY: '2' } });
 *     ... the fault ...
 *     return environment.verify();                    // stops the load, waits for arrivals, counts at the sandbox
 *
 * Faults: `processes` (stop, kill, killAndStart, pause, resume), `redis` (stop, kill, start, `client` for commands),
 * `postgres` (stop, kill, start, pause, resume, terminateConnections, backup, restore, startStandby, failOver),
 * `sandbox` (script a fault, clearFaults, stopListening). Redis and Postgres keep their ports and data. `query` reads
 * the database; `api` is a client of the API.
 *
 * `expect` checks a condition in addition to the count, `note` adds a figure to the report, `log` prints progress,
 * `wait` lets time pass, `pick` chooses between the full and the short form. Throw `ScenarioSkipped` if the machine
 * lacks something. Check that the fault happened: expect a trace of it, such as repeats, an error in the log, or a
 * count in the database.
 */
export interface Scenario {
  /** Name for `--only` and the table: lower case with hyphens. */
  readonly name: string;
  /** Description in one line. */
  readonly title: string;
  /** Backends that the fault concerns. Default: both. */
  readonly backends?: readonly Backend[];
  /** Backends on which `--short` includes the scenario. Default: none. */
  readonly short?: readonly Backend[];
  /**
   * Targets at which the order of a destination may be broken, because the vendor stores a part of a call. The order of
   * a resource may not. Default: none.
   */
  readonly breaksDestinationOrder?: readonly TargetKind[];
  /** Number of events that each target rejects. They count neither as lost nor as a gap. Default: 0. */
  readonly rejects?: number;
  run(environment: ScenarioEnvironment): Promise<Count>;
}

/** Thrown if the machine lacks something that a scenario needs. The report shows the scenario as skipped. */
export class ScenarioSkipped extends Error {
  override readonly name = 'ScenarioSkipped';
}
