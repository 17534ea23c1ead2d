import { z } from 'zod';
import { deliveryViewStates, type DeliveryView } from '../delivery/views/delivery-view.js';
import { MAX_ATTEMPTS_SHOWN } from '../delivery/views/delivery-view-store.js';
import { invalidInput } from '../problems/problem.js';

/** `state` of a delivery. */
export const deliveryState = z.enum(deliveryViewStates).meta({
  description:
    '`pending`: waiting. `in_flight`: in the batch that is being sent or retried. `delivered`: accepted by the target. `rejected`: refused by the target for good. `expired`: not delivered before its deadline.',
});

const attempt = z
  .object({
    started_at: z.iso.datetime(),
    outcome: z.enum(['delivered', 'retry', 'misconfigured', 'rejected']).meta({
      description:
        '`retry`: it failed for a reason that passes. `misconfigured`: the destination is set up wrong. After both it is tried again.',
    }),
    code: z.string().nullable().meta({
      description: 'The vendor’s own code, `http_503` or the like, or a socket’s. Null when delivered.',
      example: 'ProvisionedThroughputExceededException',
    }),
    message: z.string().nullable(),
    http_status: z.int().nullable().meta({
      description:
        'Of a failure: null where there was no answer, and when it was delivered, for the vendor’s client then gives what it made of the answer and not the answer.',
    }),
    duration_ms: z.int(),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One try at a delivery.' });

/** A delivery as the API shows it. */
export const deliverySchema = z
  .object({
    id: z.string().meta({ example: 'dlv_1042' }),
    event_id: z.string(),
    event_type: z.string(),
    destination_id: z.string(),
    state: deliveryState,
    sequence: z.int().nullable().meta({
      description:
        'Its number among the events of the destination, the same on every repetition. Null until it was tried.',
    }),
    attempts: z.array(attempt).meta({
      description: `The last ${MAX_ATTEMPTS_SHOWN} tries, oldest first, those before a redelivery included. They are kept for as long as deliveries of their outcome are.`,
    }),
    attempt_count: z.int().meta({ description: 'How often it was tried.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it was not delivered, or not yet.' }),
    created_at: z.iso.datetime().meta({ description: 'When the event happened.' }),
    redelivered_at: z.iso.datetime().nullable().meta({ description: 'When it was last asked for again.' }),
    finished_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it was delivered, rejected or expired.' }),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one destination.' });

/** A delivery as the API shows it. */
export type DeliveryResponse = z.infer<typeof deliverySchema>;

/** Shows a delivery. */
export function toDeliveryResponse(view: DeliveryView): DeliveryResponse {
  return {
    id: `dlv_${view.id}`,
    event_id: view.eventId,
    event_type: view.eventType,
    destination_id: view.destinationId,
    state: view.state,
    sequence: view.sequence,
    attempts: view.attempts.map((shown) => ({
      started_at: shown.startedAt.toISOString(),
      outcome: shown.outcome,
      code: shown.code,
      message: shown.message,
      http_status: shown.httpStatus,
      duration_ms: shown.durationMs,
    })),
    attempt_count: view.attemptCount,
    error: view.error,
    created_at: view.createdAt.toISOString(),
    redelivered_at: view.redeliveredAt?.toISOString() ?? null,
    finished_at: view.finishedAt?.toISOString() ?? null,
  };
}

/**
 * The number in a delivery's id that a page starts before.
 * @throws Problem `invalid_input` when it is no such id
 */
export function deliveryCursor(beforeId: string | undefined): number | undefined {
  if (beforeId === undefined) return undefined;
  const number = /^dlv_(\d{1,15})$/.exec(beforeId)?.[1];
  if (number !== undefined) return Number(number);
  throw invalidInput([{ pointer: '?before_id', detail: 'is not an id of this list: they begin with dlv_' }]);
}
