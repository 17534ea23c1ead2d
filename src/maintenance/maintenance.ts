import type { Logger } from '../logging/logger.js';
import type { Liveness } from '../health/liveness.js';
import type { MaintenanceTaskStore } from './task-store.js';
import { ThrottledLog } from '../logging/throttled-log.js';

/** Work that one process of all does now and then. */
export interface MaintenanceTask {
  readonly name: string;
  readonly intervalMs: number;
  /**
   * @param stopped aborts when the process stops: long work ends soon after
   * @param progressed called by long work now and then: it still gets on
   */
  run(stopped: AbortSignal, progressed: () => void): Promise<unknown>;
}

/**
 * Longest that a turn may go without a sign of progress, in milliseconds. Each of its calls to a store ends within half a minute
 * (ANSWER_TIMEOUT_MS), and a sweep of many lanes beside an unwilling store makes some of them.
 */
const LONGEST_SILENCE_MS = 600_000;

/**
 * Runs maintenance on a timer of each worker; whoever moves the task's due time forward in Postgres has the turn. Not a job
 * scheduler of BullMQ, although this drives the sweeper: what repairs a lost queue store must not live in it.
 */
export class Maintenance {
  private readonly errors: ThrottledLog;
  private readonly stopped = new AbortController();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();

  /** @param liveness is told of turns, where there is one */
  constructor(
    private readonly tasks: MaintenanceTaskStore,
    logger: Logger,
    private readonly liveness?: Liveness,
  ) {
    this.errors = new ThrottledLog(logger);
  }

  /** Starts a task: the first time at once, then each interval. A turn that takes longer is not overtaken by the next. */
  start(task: MaintenanceTask): void {
    this.schedule(task, 0);
  }

  private schedule(task: MaintenanceTask, delayMs: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const turn = this.turn(task).finally(() => {
        this.running.delete(turn);
        if (!this.stopped.signal.aborted) this.schedule(task, task.intervalMs);
      });
      this.running.add(turn);
    }, delayMs);
    this.timers.add(timer);
  }

  private async turn(task: MaintenanceTask): Promise<void> {
    const { name, intervalMs } = task;
    this.liveness?.beganTurn(name, LONGEST_SILENCE_MS);
    try {
      // A little less than the interval, or a lone worker's timer, a hair early, would miss every other turn.
      if (await this.tasks.takeTurn(name, intervalMs * 0.8)) {
        await task.run(this.stopped.signal, () => this.liveness?.progressed(name));
      }
    } catch (error) {
      this.errors.warn(error, `maintenance failed and will be tried again: ${name}`);
    } finally {
      this.liveness?.ended(name);
    }
  }

  /** No turn begins after this; resolves when the last has ended. */
  async stop(): Promise<void> {
    this.stopped.abort();
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.running);
  }
}
