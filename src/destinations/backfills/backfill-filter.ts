import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { UnevaluatedReason } from '../../delivery/delivery-observer.js';
import type { EventEnvelope } from '../../events/envelope/event-envelope.js';
import { compiledFilter } from '../../events/rules/judged-event.js';
import type { MatchingEvent, MatchingPage } from './backfill-walk-store.js';

/** Steps of the evaluations after which a page ends, at less than 100 ns each. */
const MOST_STEPS = 500_000;

/**
 * Returns the first events of a page that match a filter, at most `most`. The page ends early where the filter has cost
 * enough. An event for which the filter cannot be evaluated matches.
 * @param report called for each such event
 */
export async function filtered(
  trx: Transaction,
  expression: string,
  page: MatchingPage,
  most: number,
  report: (event: MatchingEvent, reason: UnevaluatedReason) => void,
): Promise<MatchingPage> {
  const filter = compiledFilter(expression);
  const payloads = await payloadsOf(trx, page.events);
  const events: MatchingEvent[] = [];
  let steps = 0;
  let last: MatchingEvent | undefined;
  for (const event of page.events) {
    const payload = payloads.get(event.id);
    if (payload === undefined) continue;
    const envelope: EventEnvelope = JSON.parse(payload);
    steps += filter.steps(envelope);
    if (last && (steps > MOST_STEPS || events.length === most)) return { events, readThrough: last.id };
    last = event;
    const { matches, reason } = filter.evaluate(envelope);
    if (matches) events.push(event);
    if (reason !== null) report(event, reason);
  }
  return { events, readThrough: page.readThrough };
}

/** Returns the payloads of those events that were not erased since they were read. */
export async function payloadsOf(
  trx: Transaction,
  events: readonly MatchingEvent[],
): Promise<ReadonlyMap<string, string>> {
  if (events.length === 0) return new Map();
  const { rows } = await sql<{ id: string; payload: string }>`
    select id, payload from events
    where id = any(${events.map(({ id }) => id)}::text[]) and erasure_id is null`.execute(trx);
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}
