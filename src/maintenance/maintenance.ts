import type { RawBuilder } from 'kysely';
import type { Liveness } from '../health/liveness.js';
import type { Runner } from '../lifecycle/lifecycle.js';
import { tokenOf } from '../lifecycle/provide.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import { withTimeout } from '../timing/with-timeout.js';
import type { MaintenanceTaskStore } from './task-store.js';

/**
 * A periodic task. One process of the installation begins a turn in each interval. A turn that takes longer than the
 * interval overlaps with those of other processes, so each task locks what it must do alone.
 */
export interface MaintenanceTask {
  readonly name: string;
  readonly intervalMs: number;
  /** Whether there may be something to do: while it is false, no turn begins. By default, it is true. */
  readonly hasWork?: RawBuilder<boolean>;
  run(control: TurnControl): Promise<unknown>;
}
/** The injection token of the tasks of a process. */
export const MAINTENANCE_TASKS = tokenOf<readonly MaintenanceTask[]>('MaintenanceTasks');

/** What a task gets for one turn. */
export interface TurnControl {
  /** Aborts when the process stops; the turn must end soon after. */
  readonly stopped: AbortSignal;
  /** Called by long turns from time to time, to show that they are not stuck. */
  readonly progressed: () => void;
}
/** The control of a turn that nothing stops or watches. */
export const unattended: TurnControl = { stopped: new AbortController().signal, progressed: () => undefined };

/**
 * Longest that a turn may take without progress, in milliseconds. Each call to a store ends within half a minute
 * (SILENCE_TIMEOUT_MS), and a step of a turn makes several.
 */
const MAX_SILENCE_MS = 600_000;

/** What the maintenance works with. */
export interface MaintenanceParts {
  readonly tasks: readonly MaintenanceTask[];
  readonly store: MaintenanceTaskStore;
  readonly logger: Logger;
  /** Null in a process without a worker. */
  readonly liveness: Liveness | null;
  /** How long `stop` waits for the turns under way, in milliseconds. */
  readonly stopMs: number;
}

/**
 * Runs maintenance tasks on timers in each process; the process that moves a task's due time forward in Postgres runs
 * it. A process runs a task once at a time. BullMQ's job schedulers are no alternative: the sweeper, which
 * repairs a lost queue store, must not depend on it.
 */
export class Maintenance implements Runner {
  private readonly stopped = new AbortController();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly turns = new Set<Promise<void>>();

  constructor(private readonly parts: MaintenanceParts) {}

  /** Starts the tasks: their first turns at once, the next one an interval after the end of the last. */
  start(): void {
    for (const task of this.parts.tasks) this.schedule(task, new ThrottledLog(this.parts.logger), 0);
  }

  private schedule(task: MaintenanceTask, errors: ThrottledLog, delayMs: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const turn = this.turn(task, errors).finally(() => {
        this.turns.delete(turn);
        if (!this.stopped.signal.aborted) this.schedule(task, errors, task.intervalMs);
      });
      this.turns.add(turn);
    }, delayMs);
    this.timers.add(timer);
  }

  private async turn(task: MaintenanceTask, errors: ThrottledLog): Promise<void> {
    const { name, intervalMs, hasWork } = task;
    const { store, liveness } = this.parts;
    liveness?.taskStarted(name, MAX_SILENCE_MS);
    try {
      // A little less than the interval: otherwise the timer of a lone worker, slightly early, would miss every other
      // turn.
      if (await store.takeTurn(name, intervalMs * 0.8, hasWork)) {
        const progressed = (): void => liveness?.progressed(name);
        await task.run({ stopped: this.stopped.signal, progressed });
      }
    } catch (error) {
      errors.warn(error, 'maintenance task failed; it runs again after its interval', { task: name });
    } finally {
      liveness?.finished(name);
    }
  }

  /** Starts no more turns; resolves when those under way have ended, or after `stopMs`. */
  async stop(): Promise<void> {
    this.stopped.abort();
    for (const timer of this.timers) clearTimeout(timer);
    await withTimeout(Promise.all(this.turns), this.parts.stopMs);
  }
}
