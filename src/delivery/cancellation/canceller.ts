import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';
import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { DeletedLane, DeletedLaneStore } from './deleted-lane-store.js';

/** Most deliveries that one statement cancels. */
const CHUNK_SIZE = 1_000;

/** Destinations of one query. */
const PAGE_SIZE = 100;

/** Ends the deliveries of deleted destinations as `cancelled`, in chunks in the background. */
export class Canceller implements MaintenanceTask {
  readonly name = 'cancel';
  readonly intervalMs = 5_000;

  constructor(
    private readonly store: DeletedLaneStore,
    private readonly logger: Logger,
    private readonly observer: Pick<DeliveryObserver, 'cancelled'> = unobserved,
  ) {}

  /**
   * Cancels what waited for each deleted destination, and returns how many deliveries that were. Ends early, without an
   * error, when `stopped` aborts; the next turn continues.
   */
  async run(control: TurnControl): Promise<number> {
    let cancelled = 0;
    let destinations = 0;
    while (!control.stopped.aborted) {
      const lanes = await this.store.due(PAGE_SIZE);
      for (const lane of lanes) {
        cancelled += await this.cancelAll(lane, control);
        if (control.stopped.aborted) break;
        await this.store.passed(lane);
        destinations += 1;
      }
      if (lanes.length < PAGE_SIZE) break;
    }
    if (cancelled > 0)
      this.logger.info({ destinations, cancelled }, 'cancelled the deliveries of deleted destinations');
    this.observer.cancelled(cancelled);
    return cancelled;
  }

  private async cancelAll(lane: DeletedLane, { stopped, progressed }: TurnControl): Promise<number> {
    let total = 0;
    let after = lane.floorId;
    while (!stopped.aborted) {
      const begun = performance.now();
      const { cancelled, picked, lastId } = await this.store.cancel(lane, after, CHUNK_SIZE);
      total += cancelled;
      progressed();
      if (picked < CHUNK_SIZE || lastId === null) break;
      after = lastId;
      await pauseAsLongAs(begun, stopped);
    }
    return total;
  }
}
