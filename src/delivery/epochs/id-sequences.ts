import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';

/** Lanes of one query. */
const PAGE_SIZE = 2_000;

/**
 * How far a raised sequence is above the highest id in use. Other transactions may draw ids while it is raised, and it
 * must not go back below one of them.
 */
const MARGIN = 1_000_000;

/** The other tables whose ids Postgres draws. */
const tablesWithIds = [
  'delivery_attempts',
  'erasure_records',
  'fan_out_parts',
  'proof_logs',
  'uncounted_expiries',
  'unreported_rejections',
] as const;

/**
 * Raises the sequences of ids above every id in use. The order of a lane and of a resource's fan-outs is the order of
 * these ids. Logical replication copies no sequences, and `pg_dump` of single tables does not either. Sequences that
 * are not behind stay as they are.
 */
export async function raiseSequences(trx: Transaction): Promise<void> {
  await raise(trx, 'deliveries', await highestDelivery(trx));
  for (const table of tablesWithIds) {
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(trx);
    await raise(trx, table, rows[0]?.id ?? 0);
  }
  // The floor of another copy: later deliveries may have ids below it.
  await sql`update deleted_lanes set floor_id = 0 where floor_id > 0`.execute(trx);
}

/** Returns the highest id of a delivery in a lane; no index holds the ids of all deliveries in order. */
async function highestDelivery(trx: Transaction): Promise<number> {
  let highest = 0;
  let after: string | null = '';
  while (after !== null) {
    const page: LanePage = await lanePage(trx, after);
    highest = Math.max(highest, page.highest ?? 0);
    after = page.lanes === PAGE_SIZE ? page.last : null;
  }
  return highest;
}

interface LanePage {
  /** The last lane of the page. */
  readonly last: string | null;
  readonly lanes: number;
  readonly highest: number | null;
}

async function lanePage(trx: Transaction, after: string): Promise<LanePage> {
  const { rows } = await sql<LanePage>`
    select max(l.destination_id) as last, count(*)::int as lanes, max(d.id) as highest
    from (select destination_id from delivery_lanes where destination_id > ${after}
          order by destination_id limit ${PAGE_SIZE}) l
    left join lateral (
      select id from all_deliveries where destination_id = l.destination_id order by id desc limit 1
    ) d on true`.execute(trx);
  return rows[0] ?? { last: null, lanes: 0, highest: null };
}

async function raise(trx: Transaction, table: string, highest: number): Promise<void> {
  await sql`
    select setval(own.sequence, ${highest}::bigint + ${MARGIN}::bigint)
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) own
    where coalesce(pg_sequence_last_value(own.sequence), 0) < ${highest}::bigint`.execute(trx);
}
