import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { ExportWorkStore, type ExportClaim } from '../../src/exports/work/export-work-store.js';
import { until } from '../../tools/harness/until.js';
import type { TestClient } from '../support/api-client.js';
import { exportRunner, turn } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let stranger: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  stranger = await api.addAccount();
  for (const client of [api.admin, stranger]) await client.create('/ip_policies', {});
});
afterAll(() => api.close());

const claim: ExportClaim = { leaseMs: 30_000, smallOnly: false, storage: 'folder' };

/** Creates an export that waits for no transaction of other tests. */
async function create(client: TestClient): Promise<{ id: string; path: string }> {
  const { id, path } = await client.create('/exports', { format: 'ndjson' });
  await api.store.pool.query(`update exports set created_at = now() - interval '10 minutes' where id = $1`, [id]);
  return { id, path };
}

const stateOf = async (client: TestClient, path: string) => (await client.get(path)).body.state;
const isLarge = async (id: string) => {
  const row = await api.store.db.selectFrom('exports').select('is_large').where('id', '=', id).executeTakeFirst();
  return row?.is_large ?? false;
};

describe('the next export', () => {
  it('is of the account with the fewest that are being written, not the oldest', async () => {
    const store = new ExportWorkStore(api.store.db);
    const [first, second] = [await create(api.admin), await create(api.admin)];
    const other = await create(stranger);
    const claimed = [];
    for (let n = 0; n < 3; n += 1) claimed.push((await store.claim(claim))?.id);
    expect(claimed).toEqual([first.id, other.id, second.id]);
    for (const { path } of [first, second]) await api.admin.delete(path);
    await stranger.delete(other.path);
  });

  it('of the task for small ones is none that an attempt has found to be large', async () => {
    const store = new ExportWorkStore(api.store.db);
    const { id, path } = await create(api.admin);
    const attempt = await store.claim({ ...claim, smallOnly: true });
    expect(attempt?.id).toBe(id);
    if (attempt) await store.releaseLarge(attempt);
    expect(await store.claim({ ...claim, smallOnly: true })).toBeUndefined();
    expect(await store.claim(claim)).toMatchObject({ id, attempt: 2 });
    await api.admin.delete(path);
  });

  it('is none of an account whose events are being erased: it would read them', async () => {
    const store = new ExportWorkStore(api.store.db);
    const { id, path } = await create(api.admin);
    await api.store.db.transaction().execute(async (erasure) => {
      await new ExportWorkStore(erasure).discard(api.accountId);
      expect(await store.claim(claim)).toBeUndefined();
    });
    expect(await store.claim(claim)).toMatchObject({ id, attempt: 1 });
    await api.admin.delete(path);
  });

  it('is one that was discarded, whose attempts are those that began', async () => {
    const store = new ExportWorkStore(api.store.db);
    const { id, path } = await create(api.admin);
    const attempt = await store.claim(claim);
    for (let erasure = 0; erasure < 20; erasure += 1) await store.discard(api.accountId);
    const progress = { events: 1, bytes: 1, reached_at: null };
    expect(attempt && (await store.renew(attempt, progress, 1_000))).toBe(false);
    expect(await store.claim(claim)).toMatchObject({ id, attempt: 2 });
    await api.admin.delete(path);
  });
});

/** What holds up the reads of an account. */
function heldReads(accountId: string) {
  const store = new EventSearchStore(api.store.db);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = { reading: false, release: () => release() };
  const events = {
    page: async (...given: Parameters<EventSearchStore['page']>) => {
      if (given[0] === accountId) {
        held.reading = true;
        await released;
      }
      return store.page(...given);
    },
  };
  return { held, events };
}

describe('while a worker writes large exports of one account', () => {
  it('those of another are written, until one of them is found to be large', async () => {
    const [first, second] = [await create(api.admin), await create(api.admin)];
    for (const { id } of [first, second])
      await api.store.pool.query('update exports set is_large = true where id = $1', [id]);
    const { held, events } = heldReads(api.accountId);
    const running = exportRunner(api, { events }).run(turn);
    const smallRunner = exportRunner(api, {}, { smallOnly: true, smallPages: 1 });
    await until(() => held.reading, 'the first export is read');
    const small = await create(stranger);
    await smallRunner.run(turn);
    expect(await stateOf(stranger, small.path)).toBe('completed');
    expect([await stateOf(api.admin, first.path), await stateOf(api.admin, second.path)]).toEqual([
      'running',
      'pending',
    ]);
    // More pages than a small export has.
    await api.store.pool.query(
      `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                           commitment)
       select left(id, 20) || lpad(n::text, 10, '0'), account_id, 'many.v0', 'many', payload, now(), 'usr_1', 'op_1', ''
       from (select * from events where account_id <> $1 order by id limit 1) template, generate_series(1, 600) n`,
      [api.accountId],
    );
    const large = await create(stranger);
    await smallRunner.run(turn);
    expect(await isLarge(large.id)).toBe(true);
    expect(await stateOf(stranger, large.path)).toBe('running');
    held.release();
    await running;
    for (const [client, { path }] of [
      [api.admin, first],
      [api.admin, second],
      [stranger, large],
    ] as const)
      expect(await stateOf(client, path)).toBe('completed');
  });
});
