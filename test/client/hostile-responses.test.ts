import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { Waybill, WaybillError, WaybillNetworkError, WaybillResponseError, WaybillTimeoutError } from '@waybill/client';
import { freePort } from '@waybill/embedded-postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { startLoopback, type LoopbackResponse, type LoopbackServer } from '../support/loopback-server.js';

const KEY = 'secret-key-of-the-test';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function serve(...responses: readonly LoopbackResponse[]): Promise<LoopbackServer> {
  let next = 0;
  const server = await startLoopback(() => responses[next++] ?? responses.at(-1) ?? 'never');
  opened.push(server);
  return server;
}

/** The client of a server that gives these responses in turn, the last one from then on. */
async function clientOf(...responses: readonly LoopbackResponse[]) {
  const server = await serve(...responses);
  return { server, waybill: new Waybill({ url: server.url, key: KEY, maxRetries: 0 }) };
}

const json = (body: unknown, status = 200): LoopbackResponse => ({ status, body: JSON.stringify(body) });
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('a next page at another address', () => {
  it('is read at the address of the client: nothing is sent elsewhere', async () => {
    const other = await serve(json({ ip_policies: [], next_page_uri: null }));
    const { server, waybill } = await clientOf(
      json({ ip_policies: [{ id: 'ipp_1' }], next_page_uri: `${other.url}/elsewhere?before_id=ipp_1` }),
      json({ ip_policies: [{ id: 'ipp_0' }], next_page_uri: null }),
    );
    const ids: string[] = [];
    for await (const { id } of waybill.ipPolicies.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual(['ipp_1', 'ipp_0']);
    expect(server.requests.map(({ path }) => path)).toEqual(['/ip_policies?limit=1', '/ip_policies?before_id=ipp_1']);
    expect(other.requests).toEqual([]);
  });

  it.each(['//[', 17, 'no address'])('is an error when it is no address: %j', async (uri) => {
    const { waybill } = await clientOf(json({ ip_policies: [], next_page_uri: uri }));
    const read = async () => {
      for await (const policy of waybill.ipPolicies.list()) expect(policy).toBeUndefined();
    };
    expect(await caught(read())).toBeInstanceOf(WaybillResponseError);
  });

  it('is an error when it is the same page again', async () => {
    const { server, waybill } = await clientOf(
      json({ ip_policies: [], next_page_uri: 'http://127.0.0.1/ip_policies?before_id=ipp_1' }),
    );
    const read = async () => {
      for await (const policy of waybill.ipPolicies.list()) expect(policy).toBeUndefined();
    };
    expect(await caught(read())).toBeInstanceOf(WaybillResponseError);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a response that is not of Waybill', () => {
  const page = `<html><body>Authorization: Bearer ${KEY}</body></html>`;
  it.each([
    ['malformed JSON', { status: 200, body: '{"id": ' }],
    ['an HTML page', { status: 200, body: page }],
    ['the HTML error page of a proxy', { status: 502, body: page }],
    ['JSON that is no problem document', json({ message: KEY }, 400)],
    ['a list that is none', json({ items: [] })],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }],
  ] as const)('is an error of its own: %s', async (_name, response) => {
    const { waybill } = await clientOf(response);
    const error = await caught(waybill.ipPolicies.list()[Symbol.asyncIterator]().next());
    expect(error).toBeInstanceOf(WaybillResponseError);
    expect(error).toMatchObject({ status: typeof response === 'string' ? 0 : response.status });
    expect(inspect(error, { depth: 10 })).not.toContain(KEY);
  });

  it('may have no error in its list of errors', async () => {
    const problem = { error_code: 'invalid_input', detail: 'It is invalid.', operation_id: 'op' };
    const own = { pointer: '/events/0/id', detail: 'It is too long.' };
    const { waybill } = await clientOf(json({ ...problem, errors: [null, 'x', { pointer: 7 }, own] }, 400));
    expect(await caught(waybill.ipPolicies.create())).toMatchObject({ errors: [own] });
    const { waybill: another } = await clientOf(json({ ...problem, errors: [null] }, 400));
    const publisher = another.publisher();
    const event = { type: 'order_created.v0', resource_id: '1', object: {} } as const;
    for (let n = 0; n < 2; n += 1) expect(await caught(publisher.publish(event))).toBeInstanceOf(WaybillError);
  });

  it('is not followed when it redirects', async () => {
    const other = await serve(json({ id: 'ipp_1' }));
    const { waybill } = await clientOf({ status: 301, headers: { location: `${other.url}/ip_policies/ipp_1` } });
    expect(String(await caught(waybill.ipPolicies.get('ipp_1')))).toContain('The API key was not sent on.');
    expect(other.requests).toEqual([]);
  });

  it('is read up to 32 MiB only', async () => {
    let sent = 0;
    const server = createServer((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && sent < 1024) {
          sent += 1;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    });
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    opened.push({
      close: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    const waybill = new Waybill({ url: `http://127.0.0.1:${port}`, key: KEY });
    expect(String(await caught(waybill.ipPolicies.get('ipp_1')))).toContain('more than 33554432 bytes');
    expect(sent).toBeLessThan(200);
  });
});

describe('the API key', () => {
  const problem = {
    type: '',
    title: '',
    status: 401,
    instance: '',
    error_code: 'credentials_invalid',
    operation_id: 'op',
  };

  it('is not in an error, although a response repeats it', async () => {
    const { waybill } = await clientOf(json({ ...problem, detail: `There is no key ${KEY}.` }, 401));
    const error = await caught(waybill.ipPolicies.get('ipp_1'));
    expect(error).toBeInstanceOf(WaybillError);
    expect(error).toMatchObject({ errorCode: 'credentials_invalid', detail: 'There is no key [API key].' });
    expect(inspect([error, waybill], { depth: 10, showHidden: true })).not.toContain(KEY);
  });

  it('is not in an error about an invalid key or address', () => {
    const message = (options: { url: string; key: string }): string => {
      try {
        return inspect(new Waybill(options));
      } catch (error) {
        return inspect(error);
      }
    };
    const url = 'http://127.0.0.1';
    for (const key of [`${KEY}\n`, `${KEY} `, `ü${KEY}`]) expect(message({ url, key })).toContain('The key must be');
    for (const key of [`${KEY}\n`, `${KEY} `, `ü${KEY}`]) expect(message({ url, key })).not.toContain(KEY);
    expect(message({ url, key: '' })).toContain('The key must be');
    expect(message({ url: `http://user:${KEY}@127.0.0.1`, key: KEY })).toContain('no credentials');
    expect(message({ url: `http://user:${KEY}@127.0.0.1`, key: KEY })).not.toContain(KEY);
    for (const bad of ['', '127.0.0.1:4700', 'ftp://127.0.0.1', 'http://127.0.0.1/?a=b'])
      expect(message({ url: bad, key: KEY })).toContain('The url');
  });
});

describe('a request without a response', () => {
  it('is a network error that says why', async () => {
    const port = await freePort();
    const waybill = new Waybill({ url: `http://127.0.0.1:${port}`, key: KEY, maxRetries: 0 });
    const error = await caught(waybill.ipPolicies.create());
    expect(error).toBeInstanceOf(WaybillNetworkError);
    expect(String(error)).toContain('ECONNREFUSED');
    expect(inspect(error, { depth: 10 })).not.toContain(KEY);
  });

  it('is a network error when the response ends early', async () => {
    const { waybill } = await clientOf({ status: 200, headers: { 'content-length': '100' }, body: '{' });
    expect(await caught(waybill.ipPolicies.get('ipp_1'))).toBeInstanceOf(WaybillNetworkError);
  });

  it('is a timeout after `timeoutMs`', async () => {
    const { waybill } = await clientOf('never');
    const error = await caught(waybill.ipPolicies.create({}, { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(WaybillTimeoutError);
    expect(String(error)).toContain('within 50 ms');
  });

  it('ends with the reason of its signal, also while it waits for a retry', async () => {
    const { server, waybill } = await clientOf('never');
    const reason = new Error('stopped');
    const control = new AbortController();
    const pending = caught(waybill.ipPolicies.create({}, { signal: control.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    control.abort(reason);
    expect(await pending).toBe(reason);
    expect(await caught(waybill.ipPolicies.create({}, { signal: control.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(1);

    const busy = await serve({ status: 429, headers: { 'retry-after': '59' } });
    const retrying = new Waybill({ url: busy.url, key: KEY });
    const another = new AbortController();
    const waiting = caught(retrying.ipPolicies.create({}, { signal: another.signal }));
    while (busy.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    another.abort(reason);
    expect(await waiting).toBe(reason);
    expect(busy.requests).toHaveLength(1);
  });
});

describe('an invalid option', () => {
  const url = 'http://127.0.0.1:9';

  it.each([0, -1, Infinity, NaN, 2 ** 31])('is refused: a time limit of %s', async (timeoutMs) => {
    const message = `timeoutMs must be a number from 1 to 2147483647, not ${timeoutMs}.`;
    expect(() => new Waybill({ url, key: KEY, timeoutMs })).toThrow(message);
    const waybill = new Waybill({ url, key: KEY });
    await expect(waybill.ipPolicies.get('ipp_1', { timeoutMs })).rejects.toThrow(message);
    await expect(waybill.waitForDelivery('evt_1', { timeoutMs })).rejects.toThrow(message);
  });

  it.each([-1, NaN])('is refused: %s retries', async (maxRetries) => {
    expect(() => new Waybill({ url, key: KEY, maxRetries })).toThrow('maxRetries must be a number from 0 on');
    const waybill = new Waybill({ url, key: KEY });
    await expect(waybill.ipPolicies.get('ipp_1', { maxRetries })).rejects.toThrow(TypeError);
  });

  it('is refused before a request: a text that no header can hold', async () => {
    const { server, waybill } = await clientOf(json({ id: 'ipp_1' }));
    for (const text of ['order-№7', 'order\n7']) {
      expect(await caught(waybill.ipPolicies.create({}, { idempotencyKey: text }))).toBeInstanceOf(TypeError);
      expect(await caught(waybill.ipPolicies.update('ipp_1', {}, { ifMatch: text }))).toBeInstanceOf(TypeError);
    }
    expect(server.requests).toEqual([]);
  });

  it('is refused: a key that is not set', () => {
    const options = JSON.parse(JSON.stringify({ url })) as { url: string; key: string };
    expect(() => new Waybill(options)).toThrow('The key must be the token of an API key.');
  });
});

describe('a path parameter', () => {
  it('cannot lead to another operation', async () => {
    const { server, waybill } = await clientOf(json({ id: 'x' }));
    for (const id of ['..', '.', '']) expect(await caught(waybill.ipPolicies.get(id))).toBeInstanceOf(TypeError);
    await waybill.ipPolicies.get('../api_keys?a=b#c%2e');
    expect(server.requests.map(({ path }) => path)).toEqual(['/ip_policies/..%2Fapi_keys%3Fa%3Db%23c%252e']);
  });
});

describe('the address of the client', () => {
  it('may have a path', async () => {
    const server = await serve(json({ id: 'x' }));
    const waybill = new Waybill({ url: `${server.url}/waybill/`, key: KEY });
    await waybill.ipPolicies.get('x');
    const [request] = server.requests;
    expect([request?.path, request?.headers.authorization]).toEqual(['/waybill/ip_policies/x', `Bearer ${KEY}`]);
    expect(request?.headers).toMatchObject({ 'service-version': '2' });
  });
});
