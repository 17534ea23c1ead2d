import type { Database, Transaction } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { Walk, type StepEnd } from '../../maintenance/walk.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import { FanOutStore, hasWaitingParts } from './fan-out-store.js';

/** Most parts of one round. */
const MOST_AT_ONCE = 100;

/** What the task works with. */
export interface WaitingFanOutsParts {
  readonly db: Database;
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
}

/** Finishes the fan-outs that were too large for the transaction of their change. */
export class WaitingFanOuts implements MaintenanceTask {
  readonly name = 'fan_out';
  /** The most that a large fan-out begins late, in milliseconds. */
  readonly intervalMs = 1_000;
  readonly hasWork = hasWaitingParts;
  private readonly walk: Walk;
  /** Deliveries that the turn has created. */
  private deliveries = 0;

  constructor(private readonly parts: WaitingFanOutsParts) {
    this.walk = new Walk({
      ...parts,
      step: (trx, id) => this.step(trx, id),
      failure: { message: 'a part of a large fan-out failed; it will be retried', field: 'part' },
    });
  }

  /**
   * Creates the deliveries of all waiting fan-outs, part by part, and dispatches their lanes. A part that was under way
   * when a process died is still waiting. Ends early, without an error, when `stopped` aborts.
   * @returns how many deliveries it created
   */
  async run(control: TurnControl): Promise<number> {
    const { db, logger } = this.parts;
    const store = new FanOutStore(db);
    this.deliveries = 0;
    let parts = 0;
    for (let advanced = 1; advanced > 0 && !control.stopped.aborted; parts += advanced)
      advanced = await this.walk.round(await store.waiting(MOST_AT_ONCE), control);
    const { deliveries } = this;
    if (parts > 0) logger.info({ parts, deliveries }, 'created the deliveries of waiting fan-outs');
    return deliveries;
  }

  private async step(trx: Transaction, id: string): Promise<StepEnd> {
    const destinationIds = await new FanOutStore(trx).deliver(id);
    if (destinationIds === null) return null;
    return () => {
      this.deliveries += destinationIds.length;
      this.parts.dispatcher.notify(destinationIds);
    };
  }
}
