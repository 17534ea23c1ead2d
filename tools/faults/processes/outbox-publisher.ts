import { setTimeout as sleep } from 'node:timers/promises';
import { record } from '@waybill/outbox';
import pg from 'pg';

/**
 * An application with an outbox: changes orders in transactions side by side, of which some roll back, as a whole or to
 * a savepoint. Each change is in the table `ledger` as well, written by the same transaction: it says what must arrive.
 * Ends after CHANGES committed changes; without CHANGES, when it is killed.
 */
const LANES = 6;
const ORDERS = 40;

const limit = Number(process.env['CHANGES'] ?? Infinity);
const isPaced = process.env['CHANGES'] === undefined;
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: LANES, application_name: 'publisher' });
let changes = 0;

await Promise.all(Array.from({ length: LANES }, publish));
await pool.end();

async function publish(): Promise<void> {
  const client = await pool.connect();
  while (changes < limit) {
    const kept = await transaction(client);
    changes += kept;
  }
  client.release();
}

/** Returns the number of committed changes. */
async function transaction(client: pg.PoolClient): Promise<number> {
  await client.query('begin');
  // In one order, so that no two transactions wait for each other in a circle.
  const chosen = Array.from({ length: 3 }, () => Math.ceil(Math.random() * ORDERS));
  const orders = [...new Set(chosen)].toSorted((a, b) => a - b);
  let kept = 0;
  for (const order of orders) {
    await client.query('savepoint change');
    await change(client, `order-${order}`);
    if (isPaced) await sleep(Math.random() * 20);
    if (Math.random() < 0.2) await client.query('rollback to savepoint change');
    else kept += 1;
  }
  const isCommitted = Math.random() >= 0.2;
  await client.query(isCommitted ? 'commit' : 'rollback');
  return isCommitted ? kept : 0;
}

async function change(client: pg.PoolClient, order: string): Promise<void> {
  const { rows } = await client.query<{ revision: number }>(
    `insert into orders (id, revision) values ($1, 1)
     on conflict (id) do update set revision = orders.revision + 1
     returning revision`,
    [order],
  );
  const revision = rows[0]?.revision ?? 0;
  const type = revision === 1 ? 'order_created.v0' : 'order_updated.v0';
  await record(client, { type, resourceId: order, object: { revision } });
  await client.query('insert into ledger (order_id, revision) values ($1, $2)', [order, revision]);
}
