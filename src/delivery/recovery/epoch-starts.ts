import type { Transaction } from '../../database/database.js';
import { tokenOf } from '../../lifecycle/provide.js';
import type { Logger } from '../../logging/logger.js';
import { unattended } from '../../maintenance/maintenance.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { LaneStart, LaneStartStore, RecordedMarker } from '../epochs/lane-start-store.js';
import { isHigher, nothingKnown, type NumberMark, type Testimony, type Witness } from '../epochs/witness.js';

/** Lanes of one transaction. */
const PAGE_SIZE = 200;

/** The start of an epoch in a lane, with what the witness knows. */
export interface WitnessedStart extends LaneStart {
  /** The highest number of the lane that the witness knows, if it is above the last one on record. */
  readonly witnessed: NumberMark | null;
}

/** Records the events that mark the starts of an epoch in lanes, each for its destination only. */
export type RecordMarkers = (trx: Transaction, starts: readonly WitnessedStart[]) => Promise<readonly RecordedMarker[]>;
/** The injection token of `RecordMarkers`. */
export const RECORD_MARKERS = tokenOf<RecordMarkers>('RecordMarkers');

/** What the starts work with. */
export interface EpochStartParts {
  readonly laneStarts: LaneStartStore;
  readonly witness: Witness | null;
  readonly recordMarkers: RecordMarkers;
  readonly dispatcher: Pick<Dispatcher, 'addJob'>;
  readonly logger: Logger;
}

/** Starts an epoch in the lanes, after it began. Until then nothing of a lane is sent. */
export class EpochStarts {
  constructor(private readonly parts: EpochStartParts) {}

  /**
   * Starts the epoch in every lane that has not begun it, page by page. Concurrent processes may call it. Ends early,
   * without an error, when `stopped` aborts.
   * @returns in how many lanes
   * @throws what the stores throw; the lanes of the pages before have begun
   */
  async run({ stopped, progressed } = unattended): Promise<number> {
    const { laneStarts, witness, recordMarkers, dispatcher, logger } = this.parts;
    let testimony: Testimony | undefined;
    let started = 0;
    for (let more = true; more && !stopped.aborted;) {
      const batches = await laneStarts.start(PAGE_SIZE, async (trx, starts) => {
        testimony ??= (await witness?.read()) ?? nothingKnown;
        const { lanes } = testimony;
        const witnessed = starts.map((start) => ({
          ...start,
          witnessed: above(start.last, lanes.get(start.destinationId)),
        }));
        return recordMarkers(trx, witnessed);
      });
      // A job that cannot be added is added by the sweeper.
      await Promise.allSettled(batches.map((batch) => dispatcher.addJob(batch, 0)));
      progressed();
      started += batches.length;
      more = batches.length > 0;
    }
    if (started > 0) logger.info({ lanes: started }, 'an epoch was started in the lanes');
    return started;
  }
}

function above(last: NumberMark, witnessed: NumberMark | undefined): NumberMark | null {
  return witnessed && isHigher(witnessed, last) ? witnessed : null;
}
