import { sql, type RawBuilder } from 'kysely';
import { textArray } from '../../database/text-array.js';
import { commitmentIn, saltIn } from '../envelope/salted-commitment.js';
import type { NewEvent } from '../envelope/stored-event.js';

/** The values of a new event, or their placeholders. */
export interface EventValues extends Readonly<Record<Exclude<keyof NewEvent, 'search'>, unknown>> {
  readonly search: Readonly<Record<keyof NewEvent['search'], unknown>>;
}

/**
 * Returns the parts of a statement that insert the events of its part `given` and create their deliveries. `given` is
 * made by `givenEvent` or `givenRows`. The part `routed` has a row for each event and destination.
 * @param deliveries the parts that deliver `routed`: `deliverRouted` or `deliverOrWait`
 */
export function writeEvents(deliveries: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      event as (
        insert into events (id, account_id, type, resource_id, payload, created_at, trace_parent,
                            principal_id, credential_id, operation_id, changed_fields, salt, commitment)
        select id, account_id, type, resource_id, payload, created_at::timestamptz, trace_parent,
               principal_id, credential_id, operation_id, changed_fields::text[],
               ${saltIn('salted_commitment')}, ${commitmentIn('salted_commitment')}
        from given order by position
      ),
      ${deliveries}`;
}

/**
 * Returns the part `given` with one event.
 * @param where the condition of the event
 */
export function givenEvent(event: EventValues, where: RawBuilder<boolean>): RawBuilder<unknown> {
  const { id, accountId, type, resourceId, payload, saltedCommitment, createdAt, traceParent, search } = event;
  return sql`
      given as (
        select 1 as position, ${id}::text as id, ${accountId}::text as account_id, ${type}::text as type,
               ${resourceId}::text as resource_id, ${payload}::text as payload,
               ${saltedCommitment}::text as salted_commitment, ${createdAt}::timestamptz as created_at,
               ${traceParent}::text as trace_parent, ${search.principalId}::text as principal_id,
               ${search.credentialId}::text as credential_id, ${search.operationId}::text as operation_id,
               ${search.changedFields}::text[] as changed_fields
        where ${where}
      )`;
}

/** A column of `givenRows`: a text for each event, or one for all of them. */
export type Column = readonly (string | null)[] | string | null;

/** Returns the part `given` with the events of these columns, in their order. */
export function givenRows(columns: Readonly<Record<string, Column>>): RawBuilder<unknown> {
  const all = Object.entries(columns);
  const own = all.filter(([, values]) => Array.isArray(values));
  const common = all.filter(([, values]) => !Array.isArray(values));
  const names = own.map(([name]) => name).join(', ');
  return sql`
      given as materialized (
        select ${sql.join([sql`event.*`, ...common.map(([name, value]) => sql`${value}::text as ${sql.raw(name)}`)])}
        from unnest(${sql.join(own.map(([, values]) => sql`${values}::text[]`))}) with ordinality
          as event (${sql.raw(names)}, position)
      )`;
}

/** Returns the columns of events, for `givenRows`. */
export function columnsOf(events: readonly NewEvent[]): Readonly<Record<string, Column>> {
  return {
    id: events.map(({ id }) => id),
    type: events.map(({ type }) => type),
    resource_id: events.map(({ resourceId }) => resourceId),
    payload: events.map(({ payload }) => payload),
    salted_commitment: events.map(({ saltedCommitment }) => saltedCommitment),
    principal_id: events.map(({ search }) => search.principalId),
    credential_id: events.map(({ search }) => search.credentialId),
    operation_id: events.map(({ search }) => search.operationId),
    changed_fields: events.map(({ search }) => search.changedFields && textArray(search.changedFields)),
    account_id: events.map(({ accountId }) => accountId),
    created_at: events.map(({ createdAt }) => createdAt.toISOString()),
    trace_parent: events.map(({ traceParent }) => traceParent),
  };
}
