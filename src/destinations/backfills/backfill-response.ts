import { z } from 'zod';
import { timeOfId } from '../../ids/id-time.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { ref } from '../../resources/framework/definition/fields.js';
import { uriOf } from '../../resources/framework/definition/links.js';
import { backfillWaits, type Backfill, type BackfillWait } from './backfill-store.js';

/** A backfill in a response. */
export const backfillSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the backfill.', example: 'bkf_01kgxf4n8teq0v7m2b5rzd9h3s' }),
    uri: z.string().meta({ description: 'Address of the backfill.' }),
    destination: ref,
    state: z.enum(['counting', 'running', 'finished', 'cancelled']).meta({
      description:
        '`counting`: the matching events are counted, and none is sent. `running`: events are sent, while few others wait and the destination is healthy. `finished`: every event is queued or skipped, or counted with `dry_run`. `cancelled`: what was queued before is sent.',
    }),
    from: z.iso.datetime().meta({ description: 'Events recorded at or after this time.' }),
    to: z.iso.datetime().meta({ description: 'Events recorded before this time.' }),
    types: z.array(z.string()).meta({ description: 'Events of these types.' }),
    filter: z.string().nullable().meta({ description: 'Events that match this expression. Null: every event.' }),
    events_per_second: z.int().meta({ description: 'Most events that are sent in a second.' }),
    dry_run: z.boolean().meta({ description: 'Whether the events are only counted.' }),
    complete_since: z.iso.datetime().nullable().meta({
      description:
        'Since when the backfill has every event: the retention has removed earlier ones, or is about to. Null when the range is kept as a whole.',
    }),
    repeats_before: z.iso.datetime().nullable().meta({
      description:
        'The backfill may send events before this time again, with a new number, although the destination has them: the retention has removed the records of their deliveries. Null when it repeats none.',
    }),
    events_total: z.int().nullable().meta({
      description:
        'Number of events that match the range, the types and `filter`, with those that the destination has. The filters of its sources apply later: what they leave out is in `events_skipped`. Null while they are counted.',
    }),
    events_counted: z.int().meta({
      description: 'Number of these events that were found so far. It grows while they are counted.',
    }),
    reached_at: z.iso.datetime().nullable().meta({
      description:
        'How far a backfill is that is counting or running: the time of the last event that was looked at. Null before the first one, and at the end.',
    }),
    waiting_for: z.enum(backfillWaits).nullable().meta({
      description:
        'What a running backfill waits for. `pause`: the end of the pause of the destination. `destination`: the destination, since what is pending there fails. Null: its rate, and the delivery of what was queued before.',
    }),
    events_queued: z.int().meta({
      description: 'Number of events that were queued for the destination, behind those that waited.',
    }),
    events_skipped: z.int().meta({
      description:
        'Number of events that were not: the destination has a delivery of them, in any state, no subscription sends them to it, or the filters of its sources leave them out.',
    }),
    created_at: z.iso.datetime().meta({ description: 'When the backfill was requested.' }),
    counted_at: z.iso.datetime().nullable().meta({ description: 'When the events were counted. Null before.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'When it ended. Null before.' }),
  })
  .meta({ id: 'Backfill', description: 'Earlier events for one destination, with the progress.' });

/** A backfill in a response. */
export type BackfillResponse = z.infer<typeof backfillSchema>;

/** Returns the path of the backfills of a destination. */
export function backfillsPath(destinationId: string): string {
  return `${eventDestination.path}/${destinationId}/backfills`;
}

/**
 * Converts a backfill to a response.
 * @param waitingFor what it waits for beside its rate; null for nothing
 */
export function toBackfillResponse(
  backfill: Backfill,
  waitingFor: BackfillWait | null,
  baseUrl: string,
): BackfillResponse {
  const { id, destination_id: destinationId, counted_at, finished_at, after_id } = backfill;
  return {
    id,
    uri: `${baseUrl}${backfillsPath(destinationId)}/${id}`,
    destination: { id: destinationId, uri: uriOf(eventDestination, destinationId, baseUrl) },
    state: backfill.state,
    from: backfill.from_time.toISOString(),
    to: backfill.to_time.toISOString(),
    types: [...backfill.types],
    filter: backfill.filter,
    events_per_second: backfill.events_per_second,
    dry_run: backfill.dry_run,
    complete_since: backfill.complete_since?.toISOString() ?? null,
    repeats_before: backfill.repeats_before?.toISOString() ?? null,
    events_total: counted_at === null ? null : backfill.total,
    events_counted: backfill.total,
    reached_at: finished_at === null && after_id !== '' ? timeOfId(after_id).toISOString() : null,
    waiting_for: waitingFor,
    events_queued: backfill.queued,
    events_skipped: backfill.skipped,
    created_at: backfill.created_at.toISOString(),
    counted_at: counted_at?.toISOString() ?? null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}
