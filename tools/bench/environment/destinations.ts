import type { TargetKind } from '../../../src/targets/target.js';
import { demoTargets } from '../../harness/destinations.js';
import type { Installation } from './installation.js';

/**
 * Creates a destination through the API. Returns its id.
 * @param options members of the target beside those of the demo
 */
export async function createDestination(
  installation: Installation,
  kind: TargetKind,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await installation.client.create('/event_destinations', {
    target: { [kind]: { ...demoTargets[kind], ...options } },
  });
  return id;
}

/** Returns the ARN of a data stream. */
export function streamArn(number: number): string {
  return `arn:aws:kinesis:eu-central-1:123456789012:stream/bench-${number}`;
}

/** Creates `count` destinations of the kind `data_stream`, each with its own stream. Returns their ids. */
export async function createStreams(installation: Installation, count: number): Promise<readonly string[]> {
  const { auth } = demoTargets.delivery_stream;
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const target = { data_stream: { auth, stream_arn: streamArn(number) } };
    const { id } = await installation.client.create('/event_destinations', { target });
    ids.push(id);
  }
  return ids;
}

/**
 * Creates a data stream through the API, and writes copies of it, each with its own stream. Nothing is sent to the
 * first. Returns the ids of the copies.
 */
export async function seedCopies(installation: Installation, count: number): Promise<readonly string[]> {
  const id = await createDestination(installation, 'data_stream');
  const { pool } = installation;
  await pool.query(
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select 'ed_01copy' || lpad(n::text, 20, '0'), account_id, kind,
            jsonb_set(attributes, '{target,data_stream,stream_arn}', to_jsonb(attributes #>> '{target,data_stream,stream_arn}' || '-' || n)),
            now(), now()
     from resources, generate_series(1, $2::int) n where id = $1`,
    [id, count],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into delivery_lanes (destination_id, account_id, target_kind)
     select id, account_id, 'data_stream' from resources where id like 'ed_01copy%'
     returning destination_id as id`,
  );
  return rows.map((row) => row.id);
}

/** Writes `count` destinations that one subscription sends new IP policies to. They have no secrets. */
export async function seedSubscribed({ pool }: Installation, count: number): Promise<void> {
  const statements = [
    `insert into resources (id, account_id, kind, attributes, created_at, updated_at)
     select 'ed_01bench' || lpad(n::text, 19, '0'), accounts.id, 'event_destination', '{}', now(), now()
     from accounts, generate_series(1, ${count}) n`,
    `insert into delivery_lanes (destination_id, account_id, target_kind)
     select id, account_id, 'data_stream' from resources where kind = 'event_destination'`,
    // Any resource can be the subscription of a route: the destination itself.
    `insert into event_routes (account_id, event_type, destination_id, subscription_id)
     select account_id, 'ip_policy_created.v0', id, id from resources where kind = 'event_destination'`,
    'vacuum analyze resources',
    'vacuum analyze event_routes',
    'checkpoint',
  ];
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release(true);
  }
}
