import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installOutbox, outboxSchema, record } from '../src/index.js';
import { RelayDatabase } from '../src/relay/relay-database.js';
import { StatusStore } from '../src/relay/status-store.js';
import { schemaStatement } from '../src/schema/outbox-schema.js';
import { createTestDatabase, inTransaction, recordedEvents, type TestDatabase } from './support/test-database.js';

const event = { type: 'order_created.v0', resourceId: 'order-1', object: { total: 1200 } };

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ installed: false });
});
afterAll(() => database.close());

describe('installOutbox', () => {
  it('installs once, whatever number of processes calls it', async () => {
    await Promise.all(Array.from({ length: 5 }, () => installOutbox(database.pool)));
    await record(database.pool, event);
    await installOutbox(database.pool);
    await installOutbox((text, values) => database.pool.query(text, values));
    expect(await recordedEvents(database.pool)).toHaveLength(1);
  });

  it('refuses a newer schema than its own', async () => {
    const own = await createTestDatabase();
    await own.pool.query('update waybill_outbox.schema_version set version = version + 1');
    await expect(installOutbox(own.pool)).rejects.toMatchObject({
      message: 'The outbox has version 2 of its schema, and this package installs version 1.',
      hint: 'Update @waybill/outbox. A schema is never downgraded.',
    });
    await own.close();
  });

  it.each([
    'truncate waybill_outbox.schema_version, waybill_outbox.relay',
    'truncate waybill_outbox.relay',
    'grant execute on function waybill_outbox.record_change() to public',
  ])('repairs the outbox of a dump without data or privileges: %s', async (loss) => {
    const own = await createTestDatabase();
    const status = () => new StatusStore(new RelayDatabase(own.pool)).status();
    await own.pool.query(loss);
    if (loss.startsWith('truncate')) await expect(status()).rejects.toThrow('run "npx @waybill/outbox install"');
    await installOutbox(own.pool);
    expect(await status()).toMatchObject({ waiting: 0, published: 0 });
    const { rows } = await own.pool.query<{ open: boolean }>(
      `select has_function_privilege('public', 'waybill_outbox.record_change()', 'execute') as open`,
    );
    expect(rows).toEqual([{ open: false }]);
    await own.close();
  });

  it('leaves nothing behind when its transaction rolls back', async () => {
    const own = await createTestDatabase({ installed: false });
    const installed = inTransaction(own.pool, async (client) => {
      await installOutbox(client);
      throw new Error('rolled back');
    });
    await expect(installed).rejects.toThrow('rolled back');
    const { rows } = await own.pool.query<{ found: unknown }>("select to_regnamespace('waybill_outbox') as found");
    expect(rows).toEqual([{ found: null }]);
    await own.close();
  });
});

describe('an upgrade', () => {
  it('makes each step once, in order, and creates the functions again', async () => {
    const own = await createTestDatabase();
    const first = "raise exception 'The first step is made again.';";
    const step = (n: number) => `create table waybill_outbox.step_${n} as select ${n} as n;`;
    const functions = (n: number) => [
      `create or replace function waybill_outbox.newest() returns int language sql as $$ select ${n} $$;`,
    ];
    await own.pool.query(schemaStatement([first, step(2), step(3)], functions(3)));
    await own.pool.query(schemaStatement([first, step(2), step(3)], functions(3)));
    await own.pool.query(schemaStatement([first, step(2), step(3), step(4)], functions(4)));
    const { rows } = await own.pool.query(`
      select waybill_outbox.newest(), (select array_agg(version) from waybill_outbox.schema_version) as versions,
        (select n from waybill_outbox.step_2) + (select n from waybill_outbox.step_3) + (select n from waybill_outbox.step_4) as steps`);
    expect(rows).toEqual([{ newest: 4, versions: [4], steps: 9 }]);
    // A migration of an earlier version of the package that runs again.
    await expect(own.pool.query(outboxSchema())).rejects.toThrow(
      'The outbox has version 4 of its schema, and this package installs version 1.',
    );
    await own.close();
  });
});

describe('outboxSchema', () => {
  it('is SQL that installs the outbox, and can run again', async () => {
    const own = await createTestDatabase({ installed: false });
    await own.pool.query(outboxSchema());
    await record(own.pool, event);
    await own.pool.query(outboxSchema());
    await installOutbox(own.pool);
    expect(await recordedEvents(own.pool)).toHaveLength(1);
    await own.close();
  });
});
