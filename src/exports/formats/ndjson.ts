import { appendNumber } from '../../delivery/lanes/delivered-event.js';
import type { ExportedDelivery, LineFormat } from './line-format.js';

/** One event a line: its payload, byte for byte. */
export const ndjson: LineFormat = {
  mediaType: 'application/x-ndjson',
  head: () => '',
  line: ({ payload }, delivery) => `${delivery === null ? payload : withDelivery(payload, delivery)}\n`,
};

/** Returns the payload with what its delivery adds to it, and the state of that as `delivery`. */
function withDelivery(payload: string, delivery: ExportedDelivery): string {
  const {
    id,
    destinationId,
    state,
    sequence,
    epoch,
    integrity,
    error,
    createdAt,
    redeliveredAt,
    finishedAt,
    backfillId,
  } = delivery;
  const isBackfill = backfillId !== null;
  const numbered =
    sequence === null || epoch === null ? payload : appendNumber(payload, { epoch, sequence, isBackfill, integrity });
  const member = JSON.stringify({
    id: `dlv_${id}`,
    destination_id: destinationId,
    state,
    error,
    created_at: createdAt.toISOString(),
    redelivered_at: redeliveredAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    backfill_id: backfillId,
    projected: delivery.projected,
  });
  return `${numbered.slice(0, -1)},"delivery":${member}}`;
}
