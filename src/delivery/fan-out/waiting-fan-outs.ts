import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { FanOutStore } from './fan-out-store.js';

/** Finishes the fan-outs that were too large for the transaction of their change. */
export class WaitingFanOuts implements MaintenanceTask {
  readonly name = 'fan_out';
  /** The most that a large fan-out begins late, in milliseconds. */
  readonly intervalMs = 1_000;

  constructor(
    private readonly store: FanOutStore,
    private readonly dispatcher: Dispatcher,
    private readonly logger: Logger,
  ) {}

  /**
   * Creates the deliveries of all waiting fan-outs, part by part, and dispatches their lanes. A part that was under way
   * when a process died is still waiting. Ends early, without an error, when `stopped` aborts.
   * @returns how many deliveries it created
   */
  async run({ stopped, progressed }: TurnControl): Promise<number> {
    let parts = 0;
    let deliveries = 0;
    while (!stopped.aborted) {
      const destinationIds = await this.store.deliverNextPart();
      if (destinationIds === null) break;
      this.dispatcher.notify(destinationIds);
      parts += 1;
      deliveries += destinationIds.length;
      progressed();
    }
    if (parts > 0) this.logger.info({ parts, deliveries }, 'created the deliveries of waiting fan-outs');
    return deliveries;
  }
}
