import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids/id.js';
import { until } from '../../tools/harness/until.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const DAY_MS = 86_400_000;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

it('starts with the role worker', async () => {
  const row = {
    api_key_id: newId('ak'),
    idempotency_key: 'old',
    request_hash: Buffer.alloc(32),
    operation_id: newId('op'),
    created_at: new Date(Date.now() - 2 * DAY_MS),
  };
  await api.store.db.insertInto('idempotency_keys').values(row).execute();
  await api.startWorker();
  const keys = api.store.db.selectFrom('idempotency_keys').select('idempotency_key');
  await until(async () => (await keys.execute()).length === 0, 'the key is deleted');
  expect(await keys.execute()).toEqual([]);
});
