import type { Database, Transaction } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { TurnControl } from './maintenance.js';
import { pauseAsLongAs } from './pause-as-long-as.js';

/** What follows the commit of a step, such as a notification. Null: nothing was to be done here. */
export type StepEnd = (() => void) | null;

/** What a walk consists of. */
export interface WalkParts {
  readonly db: Database;
  readonly logger: Logger;
  /**
   * Makes one step of a row: locks it with `for update skip locked`, does a bounded part of its work, and moves it
   * behind that part.
   */
  readonly step: (trx: Transaction, id: string) => Promise<StepEnd>;
  /** The log line of a step that failed, and the field that has the id of its row. */
  readonly failure: { readonly message: string; readonly field: string };
  /** Called after a step that failed. */
  readonly failed?: (id: string) => Promise<void>;
}

/**
 * Work on rows that goes forward in steps, such as backfills. A step is one transaction: after a crash the next step
 * continues there, and any number of processes may make steps. A step that fails does not hold up the other rows.
 */
export class Walk {
  private readonly errors: ThrottledLog;

  constructor(private readonly parts: WalkParts) {
    this.errors = new ThrottledLog(parts.logger);
  }

  /**
   * Makes a step of each of these rows, and returns how many advanced. Ends early, without an error, when `stopped`
   * aborts.
   */
  async round(ids: readonly string[], { stopped, progressed }: TurnControl): Promise<number> {
    let advanced = 0;
    for (const id of ids) {
      if (stopped.aborted) break;
      if (await this.tryStep(id)) advanced += 1;
      progressed();
    }
    return advanced;
  }

  /**
   * Makes steps of the rows that are due until none advances. Pauses as long as each round took. Ends early, without
   * an error, when `stopped` aborts.
   */
  async untilNoneAdvances(due: () => Promise<readonly string[]>, control: TurnControl): Promise<void> {
    for (let advanced = 1; advanced > 0 && !control.stopped.aborted;) {
      const begun = performance.now();
      const ids = await due();
      if (ids.length === 0) return;
      advanced = await this.round(ids, control);
      await pauseAsLongAs(begun, control.stopped);
    }
  }

  /** Makes one step of a row. Returns whether the row advanced. @throws what the step throws */
  async step(id: string): Promise<boolean> {
    const end = await this.parts.db.transaction().execute((trx) => this.parts.step(trx, id));
    end?.();
    return end !== null;
  }

  private async tryStep(id: string): Promise<boolean> {
    const { failure, failed } = this.parts;
    try {
      return await this.step(id);
    } catch (error) {
      this.errors.warn(error, failure.message, { [failure.field]: id });
      await failed?.(id);
      return false;
    }
  }
}
