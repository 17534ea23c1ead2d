import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { LaneStart, LaneStartStore, MarkerEvent } from '../epochs/lane-start-store.js';
import { isHigher, nothingKnown, type NumberMark, type Testimony, type Witness } from '../epochs/witness.js';

/** Lanes of one transaction. */
const PAGE_SIZE = 200;

/** The start of an epoch in a lane, with what the witness knows. */
export interface WitnessedStart extends LaneStart {
  /** The highest number of the lane that the witness knows, if it is above the last one on record. */
  readonly witnessed: NumberMark | null;
}

/** Makes the event that marks the start of an epoch in a lane. */
export type MarkerOf = (start: WitnessedStart) => MarkerEvent;
/** The injection token of `MarkerOf`. */
export const MARKER_OF = tokenOf<MarkerOf>('MarkerOf');

/** What the starts work with. */
export interface EpochStartParts {
  readonly laneStarts: LaneStartStore;
  readonly witness: Witness | null;
  readonly markerOf: MarkerOf;
  readonly dispatcher: Pick<Dispatcher, 'addJob'>;
  readonly logger: Logger;
}

/** Starts an epoch in the lanes, after it began. Until then nothing of a lane is sent. */
export class EpochStarts {
  constructor(private readonly parts: EpochStartParts) {}

  /**
   * Starts the epoch in every lane that has not begun it, page by page. Concurrent processes may call it.
   * @returns in how many lanes
   * @throws what the stores throw; the lanes of the pages before have begun
   */
  async run(): Promise<number> {
    const { laneStarts, witness, markerOf, dispatcher, logger } = this.parts;
    let testimony: Testimony | undefined;
    for (let started = 0; ;) {
      const batches = await laneStarts.start(PAGE_SIZE, async (starts) => {
        testimony ??= (await witness?.read()) ?? nothingKnown;
        const { lanes } = testimony;
        return starts.map((start) =>
          markerOf({ ...start, witnessed: above(start.last, lanes.get(start.destinationId)) }),
        );
      });
      started += batches.length;
      if (batches.length === 0) {
        if (started > 0) logger.info({ lanes: started }, 'an epoch was started in the lanes');
        return started;
      }
      // A job that cannot be added is added by the sweeper.
      await Promise.allSettled(batches.map((batch) => dispatcher.addJob(batch, 0)));
    }
  }
}

function above(last: NumberMark, witnessed: NumberMark | undefined): NumberMark | null {
  return witnessed && isHigher(witnessed, last) ? witnessed : null;
}
