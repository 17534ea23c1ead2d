import { eventsAsJson, listOf } from './event-body.js';
import type { OutboxEvent } from './event.js';
import { orFailTransaction } from './fail-transaction.js';
import { runQuery, type QueryRunner } from './query-runner.js';

/**
 * Records events in the transaction of `runner`: they are published if it commits, and never if it rolls back. Call it
 * after the statement that changes the resource, whose row lock decides the order of the events. If it throws, the
 * transaction cannot be committed.
 * @throws InvalidEventError, or the error of the database, for an event that Waybill would refuse; the whole list is
 * not recorded then
 */
export async function record(runner: QueryRunner, events: OutboxEvent | readonly OutboxEvent[]): Promise<void> {
  if (listOf(events).length === 0) return;
  await orFailTransaction(runner, () =>
    // As text first: some drivers would encode a parameter of type jsonb a second time.
    runQuery(runner, 'select waybill_outbox.waybill_record($1::text::jsonb)::text', [eventsAsJson(events)]),
  );
}
