import { z } from 'zod';
import { pageParametersOf } from '../../../http/response/pagination.js';
import { MAX_ATTEMPTS_SHOWN } from './delivery-view-store.js';
import { deliveryViewStates, type DeliveryView } from './delivery-view.js';

/** Pattern of the ids of deliveries. */
export const DELIVERY_ID = '^dlv_([0-9]{1,15})$';

/** The query parameters of a list of deliveries. */
export const deliveryPageParameters = pageParametersOf('dlv', DELIVERY_ID);

/** `state` of a delivery. */
export const deliveryState = z.enum(deliveryViewStates).meta({
  description:
    '`pending`: waiting. `in_flight`: in the batch that is being sent or retried. `delivered`: accepted by the target. `rejected`: refused by the target for good. `expired`: not delivered before its deadline. `cancelled`: not finished when its destination was deleted.',
});

const attempt = z
  .object({
    started_at: z.iso.datetime(),
    outcome: z.enum(['delivered', 'retry', 'misconfigured', 'rejected']).meta({
      description:
        '`retry`: a temporary failure. `misconfigured`: the configuration of the destination is invalid. Both are retried.',
    }),
    code: z.string().nullable().meta({
      description: 'Error code of the vendor, the HTTP status (`http_503`) or the socket. Null when delivered.',
      example: 'ProvisionedThroughputExceededException',
    }),
    message: z.string().nullable(),
    http_status: z.int().nullable().meta({
      description: 'HTTP status of a failed attempt. Null when delivered, and when the target did not respond.',
    }),
    duration_ms: z.int(),
  })
  .meta({
    id: 'DeliveryAttempt',
    description: 'One attempt at the batch of a delivery. It may have ended before it sent this delivery.',
  });

/** A delivery in a response. */
export const deliverySchema = z
  .object({
    id: z.string().meta({ example: 'dlv_1042' }),
    event_id: z.string(),
    event_type: z.string(),
    destination_id: z.string(),
    state: deliveryState,
    sequence: z.int().nullable().meta({
      description:
        'Number of the delivery at its destination, the same on every attempt and redelivery. A delivery gets it with its batch, before the call. Null before that. A delivery that the first attempt does not send is without a number again.',
    }),
    epoch: z.int().nullable().meta({
      description: 'Epoch of the number. Null without a number, and when the destination was deleted.',
    }),
    attempts: z.array(attempt).meta({
      description: `The last ${MAX_ATTEMPTS_SHOWN} attempts, oldest first, including those before a redelivery. Attempts are retained as long as deliveries of their outcome.`,
    }),
    attempt_count: z.int().meta({ description: 'Number of attempts.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'The reason why it is not delivered.' }),
    created_at: z.iso.datetime().meta({
      description: 'When the event was recorded, or queued by a backfill, by the database’s clock.',
    }),
    redelivered_at: z.iso.datetime().nullable().meta({ description: 'When the last redelivery was requested.' }),
    finished_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was delivered, rejected, expired or cancelled.' }),
    backfill_id: z.string().nullable().meta({
      description:
        'The backfill that created the delivery: its payload has `backfill: true`. Null for every other delivery.',
    }),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one destination.' });

/** A delivery in a response. */
export type DeliveryResponse = z.infer<typeof deliverySchema>;

/** Returns the response of a delivery. */
export function toDeliveryResponse(view: DeliveryView): DeliveryResponse {
  return {
    id: `dlv_${view.id}`,
    event_id: view.eventId,
    event_type: view.eventType,
    destination_id: view.destinationId,
    state: view.state,
    sequence: view.sequence,
    epoch: view.epoch,
    attempts: view.attempts.map((attempted) => ({
      started_at: attempted.started_at.toISOString(),
      outcome: attempted.outcome,
      code: attempted.code,
      message: attempted.message,
      http_status: attempted.http_status,
      duration_ms: attempted.duration_ms,
    })),
    attempt_count: view.attemptCount,
    error: view.error,
    created_at: view.createdAt.toISOString(),
    redelivered_at: view.redeliveredAt?.toISOString() ?? null,
    finished_at: view.finishedAt?.toISOString() ?? null,
    backfill_id: view.backfillId,
  };
}

/** Returns the number in the id of a delivery; undefined when it is none. */
export function deliveryNumber(id = ''): number | undefined {
  const number = new RegExp(DELIVERY_ID).exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
}
