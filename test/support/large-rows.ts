import type { Store } from '../../src/database/store.js';
import { idBound } from '../../src/ids/id-time.js';
import { newId } from '../../src/ids/id.js';

/**
 * Rows that are as large as the API permits, written without the API: publishing them would take minutes. Texts repeat
 * a hash, so that Postgres stores them in few bytes: a limit on stored bytes would not hold.
 */
const text = (bytes: number) => `repeat(md5(n::text), ${Math.ceil(bytes / 32)})`;

/** Inserts events with payloads of so many bytes. Returns their ids, oldest first. */
export async function insertEvents(
  { pool }: Store,
  accountId: string,
  count: number,
  bytes: number,
): Promise<readonly string[]> {
  const now = new Date();
  const { rows } = await pool.query<{ id: string }>(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id,
                         operation_id, changed_fields, commitment)
     select $1 || lpad(n::text, 16, '0'), $2, 'ip_policy_updated.v0', 'ipp_large',
            '{"event_type":"ip_policy_updated.v0","object":{"metadata":"' || ${text(bytes)} || '"}}', $3,
            'usr_large', 'ak_large', 'op_large', array['metadata'], ''
     from generate_series(1, $4::int) n returning id`,
    [idBound('evt', now), accountId, now, count],
  );
  return rows.map(({ id }) => id);
}

/** Makes so many copies of a resource, with attributes of so many bytes more. */
export async function copyResources({ pool }: Store, id: string, count: number, bytes: number): Promise<void> {
  const [prefix] = id.split('_');
  const ids = Array.from({ length: count }, () => newId(`${prefix}`));
  await pool.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select copy, account_id, kind, attributes || jsonb_build_object('metadata', ${text(bytes)}), created_at, updated_at
     from resources, unnest($2::text[]) with ordinality as copies (copy, n) where id = $1`,
    [id, ids],
  );
}

/**
 * Inserts a rejected delivery of each of these events to a destination. All have been tried so often, each in a batch
 * of its own, and every attempt has a message of so many bytes.
 */
export async function insertDeliveries(
  { pool }: Store,
  { accountId, destinationId, eventIds }: DeliveriesTo,
  { attempts, bytes }: { readonly attempts: number; readonly bytes: number },
): Promise<void> {
  await pool.query(
    `insert into finished_deliveries (id, event_id, destination_id, account_id, state, batch_id, attempts, created_at,
                                   finished_at, error_code, error_message)
     select nextval(pg_get_serial_sequence('deliveries', 'id')), event_id, $2, $3, 'rejected', 'bat_' || $2 || n, $4, date_trunc('milliseconds', now()), now(), 'http_400', ${text(bytes)}
     from unnest($1::text[]) with ordinality as events (event_id, n)`,
    [eventIds, destinationId, accountId, attempts],
  );
  await pool.query(
    `insert into delivery_attempts (batch_id, destination_id, number, started_at, duration_ms, records, delivered,
                                    retried, rejected, outcome, code, message)
     select 'bat_' || $1 || n, $1, number, now(), 1, 1, 0, 1, 0, 'retry', 'http_503', ${text(bytes)}
     from generate_series(1, $2::int) n, generate_series(1, $3::int) number`,
    [destinationId, eventIds.length, attempts],
  );
}

/** Deliveries to insert. */
export interface DeliveriesTo {
  readonly accountId: string;
  readonly destinationId: string;
  readonly eventIds: readonly string[];
}

/** Gives a resource type so many versions, each with the actions of the type. */
export async function addVersions({ pool }: Store, typeId: string, versions: number): Promise<void> {
  await pool.query(
    `insert into resource_type_versions (type_id, version, revision, definition)
     select type_id, n, 1, definition from resource_type_versions, generate_series(1, $2::int - 1) n
     where type_id = $1 and version = 0`,
    [typeId, versions],
  );
}

/**
 * Makes so many copies of a row, with other values in some columns.
 * @param where of the row
 * @param changed members as SQL, with `n` for the number of the copy
 */
export async function copyRow(
  { pool }: Store,
  table: 'delivery_lanes' | 'exports' | 'resources' | 'resource_links',
  { where, changed, count }: { readonly where: string; readonly changed: string; readonly count: number },
): Promise<void> {
  await pool.query(
    `insert into ${table} select copy.*
     from (select * from ${table} where ${where} limit 1) row, generate_series(1, $1::int) n,
          jsonb_populate_record(null::${table}, to_jsonb(row) || jsonb_build_object(${changed})) copy`,
    [count],
  );
}
