import type { Store } from '../../../src/database/store.js';
import { unobserved } from '../../../src/delivery/delivery-observer.js';
import { LaneStartStore } from '../../../src/delivery/epochs/lane-start-store.js';
import { EpochStarts } from '../../../src/delivery/recovery/epoch-starts.js';
import { SweepStore } from '../../../src/delivery/recovery/sweep-store.js';
import { Sweeper, type SweeperParts } from '../../../src/delivery/recovery/sweeper.js';
import { recordEpochMarkers } from '../../../src/events/fan-out/epoch-markers.js';
import type { Pipeline } from './pipeline.js';

interface SweptPipeline extends Pick<Pipeline, 'lanes' | 'dispatcher' | 'queues' | 'logger'> {
  readonly store: Pick<Store, 'db'>;
}

/** Returns a sweeper of the pipeline's stores, with some parts replaced. */
export function sweeperOf(pipeline: SweptPipeline, replaced: Partial<SweeperParts> = {}): Sweeper {
  const { store, lanes, dispatcher, queues, logger } = pipeline;
  return new Sweeper({
    sweeps: new SweepStore(store.db),
    lanes,
    dispatcher,
    queues,
    epochs: { checkIfFenced: () => Promise.resolve() },
    epochStarts: new EpochStarts({
      witness: null,
      recordMarkers: recordEpochMarkers,
      laneStarts: new LaneStartStore(store.db),
      dispatcher,
      logger,
    }),
    deadlineMs: 3_600_000,
    intervalMs: 3_600_000,
    observer: unobserved,
    logger,
    ...replaced,
  });
}
