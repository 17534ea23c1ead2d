import type { Store } from '../../../src/database/store.js';
import { Epochs } from '../../../src/delivery/epochs/epochs.js';
import { WitnessLog } from '../../../src/delivery/epochs/witness-log.js';
import type { Witness } from '../../../src/delivery/epochs/witness.js';
import type { WorkerParts } from '../../../src/delivery/worker.js';
import { epochStartedMarker } from '../../../src/events/catalogue/epoch-started-event.js';
import { createLogger } from '../../../src/logging/logger.js';

/** The epochs of a worker, without a witness unless told. */
export function epochPartsOf(
  store: Store,
  witness: Witness | null = null,
  logger = createLogger('fatal'),
): Pick<WorkerParts, 'epochs' | 'witness' | 'witnessLog' | 'markerOf'> {
  const epochs = new Epochs({ db: store.db, witness, logger });
  return { epochs, witness, witnessLog: new WitnessLog(witness, logger), markerOf: epochStartedMarker };
}
