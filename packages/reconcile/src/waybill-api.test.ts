import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { freePort } from '@waybill/embedded-postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { WaybillApi } from './waybill-api.js';

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a server. Returns its address. */
async function serving(respond: RequestListener): Promise<string> {
  const port = await freePort();
  server = createServer(respond).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${port}`;
}

/** Starts a server that sends this response to every request. Returns its address. */
function respondingWith(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  return serving((_, response) => response.writeHead(status, headers).end(body));
}

const apiOf = (url: string) => new WaybillApi({ url, key: 'the-key', destination: 'ed_1', maxRetries: 0 });

const problem = (code: string, detail: string) => JSON.stringify({ title: 'x', error_code: code, detail });

describe('the errors of the API', () => {
  it.each([
    [
      401,
      problem('credentials_invalid', 'The API key is not valid.'),
      'does not accept the API key in WAYBILL_API_KEY',
    ],
    [403, problem('principal_inactive', ''), 'belongs to an inactive bot user'],
    [404, problem('not_found', ''), 'There is no event destination ed_1 in the account of this API key.'],
    [503, problem('unavailable', 'It is stopping.'), '(HTTP 503, unavailable): It is stopping. Try again.'],
    [400, problem('invalid_input', '/x: is wrong.'), '(HTTP 400, invalid_input): /x: is wrong.'],
    [404, '<html>', "is not one of Waybill's API (HTTP 404). Check the url. Give the address of the API with --url"],
    [200, '<html>', "is not one of Waybill's API (HTTP 200)"],
    [404, '{"error":"gone"}', "is not one of Waybill's API (HTTP 404)"],
  ])('describe %i %s in plain words', async (status, body, message) => {
    const refused = apiOf(await respondingWith(status, body)).status();
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/[{<]|the-key/);
  });

  it('say that an export is gone, and not its destination', async () => {
    const { exports } = apiOf(await respondingWith(404, problem('not_found', '')));
    const message = 'The export of Waybill was deleted during the comparison.';
    for (const request of ['get', 'cancel', 'download'] as const)
      await expect(exports[request]('exp_1')).rejects.toThrow(message);
  });

  it('report a redirect, without sending the key there', async () => {
    const url = await respondingWith(302, '', { location: 'https://elsewhere.example/' });
    await expect(apiOf(url).status()).rejects.toThrow(
      `${url}: The response is a redirect (HTTP 302). The API key was not sent on. Give the address of the API`,
    );
  });

  it('report a refused connection', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await expect(apiOf(url).status()).rejects.toThrow(
      new RegExp(`^${url}: No complete response arrived \\(ECONNREFUSED.*\\)\\. Give the address`),
    );
  });
});

describe('a log', () => {
  it('is read again when the API refuses a request', async () => {
    const statuses = [429, 200, 503, 200];
    const { logs } = apiOf(await serving((_, response) => response.writeHead(statuses.shift() ?? 500).end('file')));
    expect(await logs.notes(1, 'checkpoint')).toBe('file');
    expect(await logs.tile(1, 'tile/0/000')).toEqual(new TextEncoder().encode('file'));
  });

  it('may have no checkpoint, but has each tile that is asked for', async () => {
    const url = await respondingWith(404, problem('not_found', ''));
    expect(await apiOf(url).logs.notes(1, 'checkpoint')).toBeNull();
    await expect(apiOf(url).logs.tile(1, 'tile/0/000')).rejects.toThrow('The log of epoch 1 has no tile/0/000.');
  });
});
