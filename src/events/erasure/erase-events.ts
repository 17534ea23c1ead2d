import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { checkpointEvent } from '../catalogue/checkpoint-event.js';
import { epochStartedEvent } from '../catalogue/epoch-started-event.js';
import { erasureEvent } from '../catalogue/erasure-event.js';

/** Types of events that are never erased: logs and streams are verified with them, and they say nothing of anyone. */
export const KEPT_TYPES: readonly string[] = [checkpointEvent.type, epochStartedEvent.type, erasureEvent.type];

/** The request that recorded an erased event. */
export interface ErasedRequest {
  readonly apiKeyId: string;
  readonly operationId: string;
}

/**
 * Removes the bodies, salts and search keys of events, and what else is stored of their content: their projections, the
 * objects that they are the last ones of, and the hashes by which repeated publications are compared. A deleted
 * published resource goes with its last event. The ids, types, times and commitments of the events stay.
 * @returns the requests of the last day that recorded them
 */
export async function eraseEvents(
  trx: Transaction,
  erasureId: string,
  eventIds: readonly string[],
): Promise<readonly ErasedRequest[]> {
  const resources = sql`
    from events e
    join resource_type_event_names n
      on n.account_id = e.account_id and n.event_name = regexp_replace(e.type, '[.]v[0-9]+$', '')`;
  // In the order in which publishing locks them. The next statement then sees their last versions.
  await sql`
    select from published_resources
    where (type_id, resource_id) in (
      select n.type_id, e.resource_id ${resources} where e.id = any(${eventIds}::text[])
    )
    order by type_id, resource_id for update`.execute(trx);
  await sql`
    with erased as materialized (
      select n.type_id, e.resource_id, max((e.payload::json ->> 'version')::bigint) as version
      ${resources} where e.id = any(${eventIds}::text[]) group by n.type_id, e.resource_id
    ),
    deleted as (
      delete from published_resources p using erased l
      where p.type_id = l.type_id and p.resource_id = l.resource_id and p.deleted_at is not null
        and p.version <= l.version
    )
    update published_resources p set object = null from erased l
    where p.type_id = l.type_id and p.resource_id = l.resource_id and p.deleted_at is null
      and p.version <= l.version`.execute(trx);
  await sql`update publisher_ids set hash = '' where event_id = any(${eventIds}::text[])`.execute(trx);
  await sql`
    update event_projections set payload = '', salt = null where event_id = any(${eventIds}::text[])`.execute(trx);
  const { rows } = await sql<ErasedRequest>`
    with recent as materialized (
      select distinct credential_id as "apiKeyId", operation_id as "operationId" from events
      where id = any(${eventIds}::text[]) and created_at > now() - interval '25 hours'
        and credential_id is not null and operation_id is not null
    ),
    erased as (
      update events
      set payload = '', salt = null, resource_id = '', principal_id = null, credential_id = null, operation_id = null,
          changed_fields = null, trace_parent = null, erasure_id = ${erasureId}
      where id = any(${eventIds}::text[])
    )
    select * from recent`.execute(trx);
  return rows;
}
