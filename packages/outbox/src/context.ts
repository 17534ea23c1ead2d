import { contextAsJson } from './event-body.js';
import type { EventPrincipal, EventRequest } from './event.js';
import { runQuery, type QueryRunner } from './query-runner.js';

/** Who makes the changes of a transaction, and the request that they belong to. */
export interface EventContext {
  readonly principal?: EventPrincipal | undefined;
  readonly request?: EventRequest | undefined;
}

/**
 * Sets who makes the changes of the current transaction, for triggers and for events without `principal` or `request`.
 * It ends with the transaction.
 * @throws InvalidEventError for text that Postgres cannot store
 */
export async function setContext(runner: QueryRunner, context: EventContext): Promise<void> {
  const { principal, request } = contextAsJson(context);
  await runQuery(
    runner,
    "select set_config('waybill.principal', $1::text, true), set_config('waybill.request', $2::text, true)",
    [principal, request],
  );
}
