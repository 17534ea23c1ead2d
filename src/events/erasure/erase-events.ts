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
 * last objects of their published resources (deleted ones altogether), and the hashes by which repeated publications
 * are compared. Their ids, types, times and commitments stay.
 * @returns the requests of the last day that recorded them
 */
export async function eraseEvents(
  trx: Transaction,
  erasureId: string,
  eventIds: readonly string[],
): Promise<readonly ErasedRequest[]> {
  // In the order in which publishing locks them. Of a deleted resource, nothing needs to be known any longer.
  await sql`
    with locked as materialized (
      select type_id, resource_id from published_resources
      where (type_id, resource_id) in (
        select n.type_id, e.resource_id from events e
        join resource_type_event_names n
          on n.account_id = e.account_id and n.event_name = regexp_replace(e.type, '[.]v[0-9]+$', '')
        where e.id = any(${eventIds}::text[])
      )
      order by type_id, resource_id for update
    ),
    deleted as (
      delete from published_resources p using locked l
      where p.type_id = l.type_id and p.resource_id = l.resource_id and p.deleted_at is not null
    )
    update published_resources p set object = null from locked l
    where p.type_id = l.type_id and p.resource_id = l.resource_id and p.deleted_at is null`.execute(trx);
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
