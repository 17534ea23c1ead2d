import { expect, it } from 'vitest';
import { loadSdk } from './sdk.js';

/** Makes a client whose calls all get this response, and returns the bodies that it sends. */
async function clientWith(status: number, response: string) {
  const sdk = await loadSdk();
  const bodies: unknown[] = [];
  const transport = {
    send(request: { getBody(): unknown }) {
      bodies.push(request.getBody());
      const body = { text: () => Promise.resolve(response), binary: () => Promise.resolve(Buffer.from(response)) };
      return Promise.resolve(new sdk.ResponseContext(status, { 'content-type': 'application/json' }, body));
    },
  };
  const server = new sdk.BaseServerConfiguration('http://127.0.0.1:1', {});
  const keys = {
    apiKeyAuth: new sdk.ApiKeyAuthAuthentication('key'),
    appKeyAuth: new sdk.ApiKeyAuthAuthentication('key'),
  };
  const configuration = new sdk.Configuration(server, 0, {}, transport, keys, {}, false, false, 0, 2, 2, {});
  return { bodies, api: new sdk.LogsApi(configuration) };
}

it('serializes a log entry, with its additional members', async () => {
  const { api, bodies } = await clientWith(202, '{}');
  const entry = { message: 'text', ddsource: 'waybill', additionalProperties: { sequence: '7' } };
  await api.submitLog({ body: [entry], contentEncoding: 'gzip' });
  expect(bodies).toEqual([JSON.stringify([{ ddsource: 'waybill', message: 'text', sequence: '7' }])]);
});

it('refuses an entry without its required member, and an unknown encoding', async () => {
  const { api, bodies } = await clientWith(202, '{}');
  // The types exclude both.
  const wrong = JSON.parse('{"body": [{"ddsource": "waybill"}]}');
  await expect(api.submitLog(wrong)).rejects.toThrow("missing required property 'message'");
  const encoding = JSON.parse('{"body": [{"message": "text"}], "contentEncoding": "br"}');
  await expect(api.submitLog(encoding)).rejects.toThrow("unknown enum value 'br'");
  expect(bodies).toEqual([]);
});

it('reads the errors of the intake', async () => {
  const { api } = await clientWith(413, '{"errors": [{"status": "413", "title": "too large", "detail": "5 MB"}]}');
  await expect(api.submitLog({ body: [{ message: 'text' }] })).rejects.toMatchObject({
    code: 413,
    body: { errors: [{ status: '413', title: 'too large', detail: '5 MB' }] },
  });
});

it('knows the types of the other calls of the log API', async () => {
  const { api } = await clientWith(
    200,
    '{"data": [{"id": "a", "attributes": {"tags": ["x"]}}], "meta": {"elapsed": 3}}',
  );
  const found = await api.listLogs({ body: { filter: { query: 'x' }, sort: 'timestamp', page: { limit: 2 } } });
  expect(found).toMatchObject({ data: [{ id: 'a', attributes: { tags: ['x'] } }], meta: { elapsed: 3 } });
});
