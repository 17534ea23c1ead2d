import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { pauseAsLongAs } from '../../maintenance/pause-as-long-as.js';
import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { DeletedLane, DeletedLaneStore } from './deleted-lane-store.js';

/** Most deliveries that one statement cancels. */
const CHUNK_SIZE = 1_000;

/** Destinations of one query. */
const PAGE_SIZE = 100;

/** A pass over the deliveries of a deleted destination. */
interface Pass {
  readonly lane: DeletedLane;
  /** The deliveries up to this id have been passed. */
  afterId: number;
}

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
   * Cancels what waited for each deleted destination, and returns how many deliveries that were. Destinations take
   * turns: each round cancels one chunk of each, so that none waits for all deliveries of another. Ends early, without
   * an error, when `stopped` aborts; the next turn continues.
   */
  async run(control: TurnControl): Promise<number> {
    const passes = new Map<string, Pass>();
    let cancelled = 0;
    let destinations = 0;
    for (let unfinished = 1; unfinished > 0 && !control.stopped.aborted;) {
      unfinished = 0;
      for await (const lane of this.due()) {
        if (control.stopped.aborted) break;
        const { destinationId } = lane;
        // Whether a pass is the last one was decided when it began.
        const pass = passes.get(destinationId) ?? { lane, afterId: lane.floorId };
        const chunk = await this.cancelChunk(pass, control);
        cancelled += chunk.cancelled;
        if (chunk.isOver) {
          await this.store.passed(pass.lane);
          passes.delete(destinationId);
          destinations += 1;
        } else {
          passes.set(destinationId, pass);
          unfinished += 1;
        }
      }
    }
    if (cancelled > 0)
      this.logger.info({ destinations, cancelled }, 'cancelled the deliveries of deleted destinations');
    this.observer.cancelled(cancelled);
    return cancelled;
  }

  /** Reads the deleted destinations that are due, page by page. */
  private async *due(): AsyncGenerator<DeletedLane> {
    let afterId: string | undefined = '';
    while (afterId !== undefined) {
      const lanes = await this.store.due(afterId, PAGE_SIZE);
      yield* lanes;
      afterId = lanes.at(PAGE_SIZE - 1)?.destinationId;
    }
  }

  private async cancelChunk(
    pass: Pass,
    { stopped, progressed }: TurnControl,
  ): Promise<{ readonly cancelled: number; readonly isOver: boolean }> {
    const begun = performance.now();
    const { cancelled, picked, lastId } = await this.store.cancel(pass.lane, pass.afterId, CHUNK_SIZE);
    progressed();
    if (picked < CHUNK_SIZE || lastId === null) return { cancelled, isOver: true };
    pass.afterId = lastId;
    await pauseAsLongAs(begun, stopped);
    return { cancelled, isOver: false };
  }
}
