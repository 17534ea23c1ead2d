import { sql } from 'kysely';
import type { Store } from '../../../src/database/store.js';
import type { LaneStore } from '../../../src/delivery/lanes/lane-store.js';
import { commitmentIn, saltedCommitmentOf, saltIn } from '../../../src/events/envelope/salted-commitment.js';
import { newId } from '../../../src/ids/id.js';
import type { SecretStore } from '../../../src/secrets/secret-store.js';
import type { TargetKind } from '../../../src/targets/target.js';

const ARN_SCOPE = 'eu-central-1:123456789012';

/** A target of each kind that tests deliver to, by the destination's id. */
const targets = {
  data_stream: (id: string) => {
    const address = `arn:aws:kinesis:${ARN_SCOPE}:stream/${id}`;
    return { address, member: { auth: { role: null, creds }, stream_arn: address }, secret: SECRET_KEY };
  },
  delivery_stream: (id: string) => ({
    address: id,
    member: { auth: { role: null, creds }, delivery_stream_arn: `arn:aws:firehose:${ARN_SCOPE}:deliverystream/${id}` },
    secret: SECRET_KEY,
  }),
  log_group: (id: string) => ({
    address: `/waybill/test/waybill/${id}`,
    member: { auth: { role: null, creds }, log_group_arn: `arn:aws:logs:${ARN_SCOPE}:log-group:/waybill/test` },
    secret: SECRET_KEY,
  }),
  monitoring: (id: string) => ({
    address: id,
    member: { api_key: null, service: id, site: 'datadoghq.com', tags: null },
    secret: 'api_key',
  }),
};

/** A seeded destination, with its own address at the sandbox. */
export interface SeededDestination {
  readonly id: string;
  readonly accountId: string;
  readonly kind: TargetKind;
  /** Where the sandbox reports its events. */
  readonly address: string;
}

/** An access key of the right form: the sandbox checks the form of signatures. */
const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: null };
const SECRET_KEY = 'auth.creds.cloud_secret_access_key';

/** Creates an account. */
export async function seedAccount(store: Store): Promise<string> {
  const id = newId('acc');
  await store.db.insertInto('accounts').values({ id, name: 'test' }).execute();
  return id;
}

/** Creates a destination of the account, with its secret and its lane. */
export async function seedDestination(
  store: Store,
  secrets: SecretStore,
  lanes: LaneStore,
  accountId: string,
  options: { kind?: keyof typeof targets; secret?: string; records?: 'packed' } = {},
): Promise<SeededDestination> {
  const id = newId('ed');
  const kind = options.kind ?? 'data_stream';
  const { address, member, secret } = targets[kind](id);
  const field = `target.${kind}.${secret}`;
  const attributes = {
    description: '',
    metadata: '',
    format: 'json',
    target: { [kind]: { ...member, records: options.records } },
  };
  await store.db.transaction().execute(async (trx) => {
    const now = new Date();
    await trx
      .insertInto('resources')
      .values({
        id,
        account_id: accountId,
        kind: 'event_destination',
        parent_id: null,
        attributes: JSON.stringify(attributes),
        created_at: now,
        updated_at: now,
      })
      .execute();
    await secrets.put(trx, { accountId, resourceId: id, field }, options.secret ?? 'sandbox-secret');
    await lanes.create(trx, { destinationId: id, accountId, targetKind: kind });
  });
  return { id, accountId, kind, address };
}

/** Options of seeded events. */
export interface SeedOptions {
  readonly type?: string;
  /** Age of the events, in milliseconds. */
  readonly ageMs?: number;
  /** Bytes of padding in each payload. */
  readonly padding?: number;
  /** Number of resources that the events change in turn; by default, each event has its own. */
  readonly resources?: number;
}

/**
 * Creates events with a delivery to each destination, in one transaction. Returns the events' ids, in order.
 */
export async function seedEvents(
  store: Store,
  destinations: readonly SeededDestination[],
  count: number,
  { type = 'ip_policy_created.v0', ageMs = 0, padding = 0, resources = count }: SeedOptions = {},
): Promise<readonly string[]> {
  const [first] = destinations;
  if (!first || count === 0) return [];
  const { accountId } = first;
  const ids = Array.from({ length: count }, () => newId('evt'));
  const createdAt = new Date(Date.now() - ageMs);
  const own = newId('ipp');
  const resourceIds = ids.map((_, index) => `${own}_${index % resources}`);
  const payloads = ids.map((id, index) =>
    JSON.stringify({
      event_id: id,
      event_type: type,
      event_timestamp: createdAt.toISOString(),
      account_id: accountId,
      object: { id: resourceIds[index], description: 'x'.repeat(padding) },
    }),
  );
  await store.db.transaction().execute(async (trx) => {
    await sql`insert into events (id, account_id, type, resource_id, payload, created_at, salt, commitment)
      select id, ${accountId}, ${type}, resource_id, payload, ${createdAt},
             ${saltIn('salted')}, ${commitmentIn('salted')}
      from unnest(${ids}::text[], ${resourceIds}::text[], ${payloads}::text[],
                  ${payloads.map(saltedCommitmentOf)}::text[]) as t (id, resource_id, payload, salted)`.execute(trx);
    await sql`insert into deliveries (event_id, destination_id, account_id, created_at)
      select event.id, destination.id, ${accountId}, ${createdAt}
      from unnest(${ids}::text[]) with ordinality as event (id, position)
      cross join unnest(${destinations.map(({ id }) => id)}::text[]) as destination (id)
      order by event.position`.execute(trx);
  });
  return ids;
}

/** The columns of a delivery that tests check. */
export interface DeliveryRow {
  readonly event_id: string;
  readonly state: string;
  readonly sequence: number | null;
  readonly attempts: number;
  readonly error_code: string | null;
}

/** Returns the deliveries of a destination, in order. */
export async function deliveriesOf(store: Pick<Store, 'db'>, destinationId: string): Promise<readonly DeliveryRow[]> {
  return store.db
    .selectFrom('all_deliveries')
    .select(['event_id', 'state', 'sequence', 'attempts', 'error_code'])
    .where('destination_id', '=', destinationId)
    .orderBy('id')
    .execute();
}

/** Returns the lane of a destination. */
export async function laneOf(store: Store, destinationId: string) {
  return store.db
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .executeTakeFirstOrThrow();
}

/** Returns the attempts at the batches of a destination, in order. */
export async function attemptsOf(store: Store, destinationId: string) {
  return store.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .orderBy('id')
    .execute();
}
