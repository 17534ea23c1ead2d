import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';

const PATH = '/backends/http_response';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

describe('an HTTP-response backend', () => {
  it('has status 200 and neither a body nor headers by default', async () => {
    expect(await api.admin.create(PATH, {})).toMatchObject({
      description: null,
      metadata: null,
      body: null,
      headers: null,
      status_code: 200,
    });
  });

  it('returns header names in lower case, on create and on update', async () => {
    const backend = await api.admin.create(PATH, { headers: { 'Content-Type': 'Text/Plain' } });
    expect(backend.headers).toEqual({ 'content-type': 'Text/Plain' });
    const response = await api.admin.patch(backend.path, { headers: { 'X-Frame-Options': 'DENY' } });
    expect(response.body.headers).toEqual({ 'x-frame-options': 'DENY' });
    expect((await api.admin.patch(backend.path, { headers: null })).body.headers).toBeNull();
  });

  it('has a body until null unsets it', async () => {
    const backend = await api.admin.create(PATH, { body: '' });
    expect(backend.body).toBe('');
    expect((await api.admin.patch(backend.path, { body: null })).body.body).toBeNull();
  });

  it('keeps members that an update omits', async () => {
    const { path: its, ...created } = await api.admin.create(PATH, {
      body: 'closed',
      status_code: 503,
      headers: { 'retry-after': '60' },
    });
    const response = await api.admin.patch(its, { metadata: 'x' });
    expect(response.body).toEqual({ ...created, metadata: 'x' });
  });

  it.each([100, 599])('accepts the status %i', async (status_code) => {
    expect((await api.admin.create(PATH, { status_code })).status_code).toBe(status_code);
  });

  it.each([
    [{ status_code: 99 }, '/status_code'],
    [{ status_code: 600 }, '/status_code'],
    [{ status_code: 200.5 }, '/status_code'],
    [{ status_code: '200' }, '/status_code'],
    [{ body: 1 }, '/body'],
    [{ body: 'a'.repeat(24_577) }, '/body'],
    [{ headers: { 'x-a': 'b\r\nset-cookie: c' } }, '/headers/x-a'],
    [{ headers: { 'x\n': 'b' } }, '/headers/x\n'],
    [{ headers: { 'x/a b': 'b' } }, '/headers/x~1a b'],
    [{ headers: { 'x-a': 1 } }, '/headers/x-a'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, '/headers/x-a'],
    [{ headers: [] }, '/headers'],
  ])('is refused with a pointer to the error (%#)', async (body, pointer) => {
    const response = await api.admin.post(PATH, body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer }]);
    const { path: its } = await api.admin.create(PATH, {});
    expect((await api.admin.patch(its, body)).body.errors).toMatchObject([{ pointer }]);
  });

  it('is refused when it is too large for its event', async () => {
    const before = (await api.admin.get(`${PATH}?limit=1`)).body;
    const response = await api.admin.post(PATH, { body: '\u0001'.repeat(12_000) });
    expect([response.status, response.body.error_code]).toEqual([413, 'event_too_large']);
    expect((await api.admin.get(`${PATH}?limit=1`)).body).toEqual(before);
    expect((await api.admin.post(PATH, { body: '"'.repeat(24_576) })).status).toBe(201);
  });
});
