import type { Transaction } from '../../database/database.js';
import type { RecordedMarker } from '../../delivery/epochs/lane-start-store.js';
import type { WitnessedStart } from '../../delivery/recovery/epoch-starts.js';
import { epochStartedMarker } from '../catalogue/epoch-started-event.js';
import { EventStore } from './event-store.js';

/** Records the events that mark the starts of an epoch in lanes, and returns them in the order of the starts. */
export async function recordEpochMarkers(
  trx: Transaction,
  starts: readonly WitnessedStart[],
): Promise<readonly RecordedMarker[]> {
  const markers = starts.map(epochStartedMarker);
  const deliveryIds = await new EventStore(trx).insertAddressed(markers);
  return markers.map(({ id, type }, index) => ({ eventId: id, type, deliveryId: deliveryIds[index] ?? 0 }));
}
