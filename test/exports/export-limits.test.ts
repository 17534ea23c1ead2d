import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeExport } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ EXPORT_FILES_PER_ACCOUNT: '2', EXPORT_GIB_PER_ACCOUNT: '0.5' });
  await api.admin.create('/ip_policies', {});
});
afterAll(() => api.close());

async function request() {
  const { status, body } = await api.admin.post('/exports', { format: 'ndjson' });
  return [status, body.error_code, body.detail] as const;
}

it('an account keeps a limited number of files, until they expire or are deleted', async () => {
  const paths: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const { path } = await api.admin.create('/exports', { format: 'ndjson' });
    await writeExport(api, path);
    paths.push(path);
  }
  const [status, code, detail] = await request();
  expect([status, code]).toEqual([409, 'exports_stored']);
  expect(detail).toContain('the files of 2 exports');
  const stranger = await api.addAccount();
  await stranger.create('/ip_policies', {});
  expect((await stranger.post('/exports', { format: 'ndjson' })).status).toBe(201);
  await api.admin.delete(String(paths[0]));
  expect((await request())[0]).toBe(201);
  expect((await request())[1]).toBe('exports_stored');
  await api.store.pool.query('update exports set expires_at = now() where account_id = $1', [api.accountId]);
  expect((await request())[0]).toBe(201);
  await api.store.pool.query('delete from exports');
});

it('an account keeps a limited number of bytes', async () => {
  const { path, id } = await api.admin.create('/exports', { format: 'ndjson' });
  await writeExport(api, path);
  const size = (bytes: number) => api.store.pool.query('update exports set bytes = $2 where id = $1', [id, bytes]);
  await size(2 ** 29);
  const [status, code, detail] = await request();
  expect([status, code]).toEqual([409, 'exports_stored']);
  expect(detail).toContain(String(2 ** 29));
  await size(2 ** 29 - 1);
  expect((await request())[0]).toBe(201);
});
