import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../src/database/store.js';
import {
  ABANDONED_AFTER_SECONDS,
  deleteExpiredKeys,
  IdempotencyStore,
  storeResponses,
  type Claim,
} from '../../src/http/idempotency/idempotency-store.js';
import { problemSchema } from '../../src/http/problems/problem-document.js';
import { newId } from '../../src/ids/id.js';
import { Problem } from '../../src/problems/problem.js';
import { createTestStore } from '../support/database.js';
import { testKeyRing } from '../support/secrets.js';
import { startNotes, type RunningApi } from './notes-api.js';

let store: Store;
let api: RunningApi;
beforeAll(async () => {
  store = await createTestStore();
  api = await startNotes(store);
});
afterAll(async () => {
  await api?.close();
  await store?.close();
});
beforeEach(() => {
  api.notebook.created = 0;
  api.notebook.failure = null;
  api.notebook.gate = Promise.resolve();
});

const post = (key: string, json: unknown = { title: 'once' }) =>
  api.fetch('/notes', { method: 'POST', json, headers: { 'idempotency-key': key } });

async function codeOf(response: Response): Promise<string> {
  return problemSchema.parse(await response.json()).error_code;
}

const past = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

/** A claim on the key `k` by another request of the same API key. */
function claimOf(apiKeyId: string): Claim {
  return {
    accountId: 'acct_1',
    apiKeyId,
    idempotencyKey: 'k',
    requestHash: Buffer.alloc(32, 1),
    operationId: newId('op'),
  };
}

describe('a POST with an Idempotency-Key', () => {
  test('is carried out once, and its response is replayed unchanged', async () => {
    const first = await post('a');
    const again = await post('a');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const name of ['content-type', 'etag', 'location'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(first.headers.get('location')).toMatch(/\/notes\/note_/);
    expect(again.headers.get('operation-id')).not.toBe(first.headers.get('operation-id'));
    expect(api.notebook.created).toBe(1);
  });

  test('conflicts with a request that has the same key and another body or path', async () => {
    await post('b');
    const other = await post('b', { title: 'twice' });
    expect([other.status, await codeOf(other)]).toEqual([409, 'idempotency_key_reused']);
    expect(api.notebook.created).toBe(1);
  });

  test('is carried out once when it is sent ten times concurrently', async () => {
    const open = api.notebook.hold();
    const responses: Response[] = [];
    const racing = Array.from({ length: 10 }, async () => responses.push(await post('race')));
    await vi.waitFor(() => expect(responses).toHaveLength(9), { timeout: 60_000 });
    for (const response of responses) {
      expect([response.status, response.headers.get('retry-after'), await codeOf(response)]).toEqual([
        409,
        '1',
        'idempotency_key_in_use',
      ]);
    }
    open();
    await Promise.all(racing);
    expect(responses.at(-1)?.status).toBe(201);
    expect(api.notebook.created).toBe(1);
    expect((await post('race')).headers.get('idempotent-replayed')).toBe('true');
  });

  test.each([
    ['a fault of ours', new Error('oops'), 500],
    ['a problem', new Problem('conflict', 'Not now.'), 409],
  ])('that failed with %s can be retried with its key', async (name, failure, status) => {
    api.notebook.failure = failure;
    expect((await post(name)).status).toBe(status);
    api.notebook.failure = null;
    const again = await post(name);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('that was invalid can be corrected and sent with its key', async () => {
    expect((await post('mend', { titel: 'x' })).status).toBe(400);
    expect((await post('mend')).status).toBe(201);
  });

  test('takes over the key of a crashed process', async () => {
    const row = { api_key_id: api.keyId, request_hash: Buffer.alloc(32), operation_id: newId('op') };
    await store.db
      .insertInto('idempotency_keys')
      .values([
        { ...row, idempotency_key: 'dead', created_at: past(ABANDONED_AFTER_SECONDS + 1) },
        { ...row, idempotency_key: 'alive', created_at: past(ABANDONED_AFTER_SECONDS - 20) },
        { ...row, idempotency_key: 'yesterday', status: 201, created_at: past(24 * 3600 + 1) },
      ])
      .execute();
    expect((await post('dead')).status).toBe(201);
    expect((await post('alive')).status).toBe(409);
    expect((await post('yesterday')).status).toBe(201);
  });

  test('is deleted by pruning after 24 hours', async () => {
    const row = { api_key_id: newId('ak'), request_hash: Buffer.alloc(32), operation_id: newId('op') };
    await store.db
      .insertInto('idempotency_keys')
      .values([
        { ...row, idempotency_key: 'old', created_at: past(24 * 3600 + 60) },
        { ...row, idempotency_key: 'young', created_at: past(24 * 3600 - 60) },
      ])
      .execute();
    await deleteExpiredKeys(store.db, 100);
    const keys = store.db.selectFrom('idempotency_keys').select('idempotency_key');
    expect(await keys.where('api_key_id', '=', row.api_key_id).execute()).toEqual([{ idempotency_key: 'young' }]);
  });

  test.each(['', 'x'.repeat(256), 'ü'])('with the key %j is not valid', async (key) => {
    const response = await api.fetch('/notes', {
      method: 'POST',
      json: { title: 'x' },
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
    });
    expect([response.status, await codeOf(response)]).toEqual([400, 'idempotency_key_invalid']);
  });

  test('stores its response encrypted', async () => {
    await post('sealed', { title: 'swordfish' });
    const { rows } = await sql<{
      row: string;
    }>`select row_to_json(k)::text as row from idempotency_keys k`.execute(store.db);
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain('sealed');
    const bytes = [...stored.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    );
    expect(`${stored}${bytes.join('\n')}`).not.toContain('swordfish');
  });
});

test('an Idempotency-Key is ignored on other methods', async () => {
  const headers = { 'idempotency-key': 'get' };
  await api.fetch('/notes', { headers });
  expect((await api.fetch('/notes', { headers })).headers.get('idempotent-replayed')).toBeNull();
});

test('the same idempotency key of two API keys identifies two requests', async () => {
  const ring = testKeyRing();
  const idempotency = new IdempotencyStore(store.db, ring);
  const [one, two] = [claimOf(newId('ak')), claimOf(newId('ak'))];
  expect(await idempotency.claim(one)).toBeNull();
  await idempotency.storeResponse(one, { status: 201, headers: {}, body: 'first' });
  expect(await idempotency.claim(two)).toBeNull();
  expect(await idempotency.claim(claimOf(one.apiKeyId))).toMatchObject({ body: 'first' });
});

test('a response stored in a transaction exists only if the transaction is committed', async () => {
  const idempotency = new IdempotencyStore(store.db, testKeyRing());
  const apiKeyId = newId('ak');
  const held = claimOf(apiKeyId);
  await idempotency.claim(held);
  const rolledBack = store.db.transaction().execute(async (trx) => {
    await storeResponses(trx, [idempotency.sealed(held, { status: 201, headers: {}, body: 'lost' })]);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await expect(idempotency.claim(claimOf(apiKeyId))).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
  await store.db
    .transaction()
    .execute((trx) => storeResponses(trx, [idempotency.sealed(held, { status: 201, headers: {}, body: 'kept' })]));
  expect(await idempotency.claim(claimOf(apiKeyId))).toMatchObject({ body: 'kept' });
  await idempotency.release(held);
  expect(await idempotency.claim(claimOf(apiKeyId))).toMatchObject({ body: 'kept' });
});

test('a request whose key was taken over cannot store its response', async () => {
  const idempotency = new IdempotencyStore(store.db, testKeyRing());
  const slow = claimOf(newId('ak'));
  await idempotency.claim(slow);
  await store.db
    .updateTable('idempotency_keys')
    .set({ created_at: sql<Date>`now() - interval '1 hour'` })
    .where('api_key_id', '=', slow.apiKeyId)
    .execute();
  expect(await idempotency.claim({ ...slow, operationId: newId('op') })).toBeNull();
  expect(await idempotency.storeResponse(slow, { status: 201, headers: {}, body: '' })).toBe(false);
});

test('responses stored together need the keys of all their requests', async () => {
  const idempotency = new IdempotencyStore(store.db, testKeyRing());
  const [kept, other, taken] = [claimOf(newId('ak')), claimOf(newId('ak')), claimOf(newId('ak'))];
  for (const claim of [kept, other, taken]) await idempotency.claim(claim);
  const storing = (...claims: readonly Claim[]) =>
    store.db.transaction().execute((trx) =>
      storeResponses(
        trx,
        claims.map((claim) => idempotency.sealed(claim, { status: 202, headers: { a: 'b' }, body: claim.apiKeyId })),
      ),
    );
  const late = { ...taken, operationId: newId('op') };
  await expect(storing(kept, late)).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
  await expect(idempotency.claim(kept)).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
  await storing(kept, other);
  for (const claim of [kept, other])
    expect(await idempotency.claim(claim)).toEqual({ status: 202, headers: { a: 'b' }, body: claim.apiKeyId });
  await expect(idempotency.claim(taken)).rejects.toMatchObject({ code: 'idempotency_key_in_use' });
});
