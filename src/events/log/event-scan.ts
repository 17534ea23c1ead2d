import { sql, type RawBuilder } from 'kysely';
import { typesIn, type EventFilter } from './event-filter.js';
import { idsBefore, idsFrom } from './id-range.js';

/** How a search finds events: the conditions that an index finds in the order of ids, and those that remain. */
export interface EventPath {
  readonly path: readonly RawBuilder<unknown>[];
  readonly rest: readonly RawBuilder<unknown>[];
}

/**
 * Returns the conditions of a filter on the columns of `events`. The most selective one names the index: Postgres would
 * have to guess it.
 */
export function eventPathOf(filter: EventFilter): EventPath {
  const [first, ...others] = [
    ...equal('operation_id', filter.operation_id),
    ...equal('resource_id', filter.object_id),
    ...equal('credential_id', filter.credential_id),
    ...equal('principal_id', filter.principal_id),
  ];
  const rest = [
    ...others,
    ...(filter.changed === undefined ? [] : [sql`changed_fields @> array[${filter.changed}::text]`]),
    ...(filter.from === undefined ? [] : [sql`created_at >= ${new Date(filter.from)}`]),
    ...(filter.to === undefined ? [] : [sql`created_at < ${new Date(filter.to)}`]),
    ...payloadConditionsOf(filter),
  ];
  if (first !== undefined) return { path: [first], rest: [...rest, ...typesOf(filter)] };
  const [type, ...otherTypes] = typesIn(filter);
  if (type !== undefined && otherTypes.length === 0) return { path: [sql`type = ${type}`], rest };
  return { path: [], rest: [...rest, ...typesOf(filter)] };
}

/** Whether a filter reads the payload of each event. */
export function readsPayloads({ ip, text }: EventFilter): boolean {
  return ip !== undefined || text !== undefined;
}

function payloadConditionsOf({ ip, text }: EventFilter): readonly RawBuilder<unknown>[] {
  return [
    // Few payloads have the address anywhere: the others are not parsed. A `jsonb` could not have the character 0.
    ...(ip === undefined
      ? []
      : [
          sql`case when strpos(payload, ${JSON.stringify(ip)}) > 0
              then payload::json #>> '{request,ip}' = ${ip} else false end`,
        ]),
    ...(text === undefined ? [] : [hasText(text)]),
  ];
}

/** Whether a payload has a text: as JSON, or within a string, where JSON escapes quotes. */
function hasText(text: string): RawBuilder<unknown> {
  const forms = [...new Set([text, JSON.stringify(text).slice(1, -1)])];
  // The collation C knows the case of A to Z only, and is several times faster.
  const found = forms.map((form) => sql`strpos(lower(payload collate "C"), lower(${form} collate "C")) > 0`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/**
 * Returns the range of ids of the times of a filter, which leaves out the partitions of other times.
 * @param id the column with the id of an event
 */
export function timeBoundsOf({ from, to }: EventFilter, id = 'id'): readonly RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${sql.ref(id)} >= ${idsFrom(new Date(from))}`]),
    ...(to === undefined ? [] : [sql`${sql.ref(id)} < ${idsBefore(new Date(to))}`]),
  ];
}

/** Returns the condition that all of these hold. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function typesOf(filter: EventFilter): readonly RawBuilder<unknown>[] {
  const types = typesIn(filter);
  return types.length === 0 ? [] : [sql`type = any(${types}::text[])`];
}

function equal(column: string, value: string | undefined): readonly RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
}
