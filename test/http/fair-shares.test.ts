import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { STORE, type Store } from '../../src/database/store.js';
import { Admission } from '../../src/http/server/admission.js';
import { serveInOrder } from '../../src/http/server/pipelining.js';
import { createLogger } from '../../src/logging/logger.js';
import type { Service } from '../../src/service.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import { startTestService } from '../support/test-service.js';
import { addKey, addOwner, startNotes, type Owner, type RunningApi } from './notes-api.js';

let store: Store;
let api: RunningApi;
/** Creations whose handler has begun, by title. All of them wait until `open` is called. */
let begun: string[];
let open: () => void;
let sockets: Socket[];

beforeAll(async () => {
  store = await createTestStore();
  api = await startNotes(store, { environment: { DATABASE_POOL_SIZE: '20', MAX_BODY_BYTES: '2097152' } });
});
afterAll(async () => {
  await api?.close();
  await store?.close();
});
beforeEach(() => {
  begun = [];
  sockets = [];
  open = api.notebook.hold();
  api.notebook.begins = (title) => void begun.push(title);
});
afterEach(() => {
  open();
  for (const socket of sockets) socket.destroy();
});

/** A connection that sends requests without waiting for responses. */
class Pipeline {
  private received = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
    socket.on('error', () => {});
  }

  static async open(port = Number(new URL(api.origin).port)): Promise<Pipeline> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return new Pipeline(socket);
  }

  get(path: string, times: number, token = api.token): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\n${headersFor(token)}\r\n`.repeat(times));
  }

  post(title: string, token = api.token): void {
    const body = JSON.stringify({ title });
    this.socket.write(
      `POST /notes HTTP/1.1\r\n${headersFor(token)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }

  /** Sends the headers of a request, and nothing of its body. */
  announce(bytes: number, token = api.token): void {
    this.socket.write(
      `POST /notes HTTP/1.1\r\n${headersFor(token)}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
  }

  /** The statuses of the responses so far. */
  get statuses(): readonly number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Resolves when the server has closed the connection. */
  get closed(): Promise<unknown> {
    return new Promise((resolve) => this.socket.once('close', resolve));
  }

  destroy(): void {
    this.socket.destroy();
  }
}

function headersFor(token: string): string {
  return `Host: localhost\r\nAuthorization: Bearer ${token}\r\nService-Version: 2\r\n`;
}

async function openMany(count: number, port?: number): Promise<readonly Pipeline[]> {
  return Promise.all(Array.from({ length: count }, () => Pipeline.open(port)));
}

/** Most requests of an account that have begun at once, of the fourteen turns of the process. */
const TURNS_OF_ACCOUNT = 12;

/** Waits until a request has begun, and then until nothing more begins: five looks in a row see no more. */
async function untilStill(): Promise<void> {
  let before = 0;
  for (let equal = 0; equal < 5;) {
    await sleep(100);
    equal = before > 0 && begun.length === before ? equal + 1 : 0;
    before = begun.length;
  }
}

describe('requests of one connection', () => {
  it('are handled one after the other, and answered in their order', async () => {
    const connection = await Pipeline.open();
    for (let note = 0; note < 11; note += 1) connection.post(`note ${note}`);
    await untilStill();
    expect(begun).toEqual(['note 0']);
    open();
    await expect.poll(() => connection.statuses).toEqual(Array.from({ length: 11 }, () => 201));
    expect(begun).toEqual(Array.from({ length: 11 }, (_, note) => `note ${note}`));
  });

  it('end with their connection when too many wait', async () => {
    const [connection, other] = [await Pipeline.open(), await Pipeline.open()];
    connection.post('first');
    await untilStill();
    connection.get('/notes', 11);
    await connection.closed;
    other.get('/notes', 3);
    open();
    await expect.poll(() => other.statuses).toEqual([200, 200, 200]);
    expect(connection.statuses).toEqual([]);
  });

  it('end with the connection that sends one too many of all', async () => {
    const connections = await openMany(51);
    for (const [index, connection] of connections.entries()) connection.post(`${index}`);
    await expect.poll(() => begun.length).toBeGreaterThan(0);
    const last = connections.slice(50);
    for (const other of connections.slice(0, 50)) other.get('/notes', 10);
    await untilStill();
    for (const connection of last) connection.get('/notes', 1);
    await last[0]?.closed;
    open();
    for (const other of connections.slice(0, 50)) await expect.poll(() => other.statuses).toHaveLength(11);
  });

  it('are not read any further when their connection was closed', async () => {
    let parsed = 0;
    const seen = (): unknown => (parsed += 1);
    const server: unknown = api.app.getHttpServer();
    if (!(server instanceof Server)) throw new Error('The API has no HTTP server.');
    server.on('request', seen);
    const connections = await openMany(20);
    for (const connection of connections) connection.get('/notes', 600);
    await Promise.all(connections.map(({ closed }) => closed));
    server.off('request', seen);
    // Each connection has one request in progress, at most 10 that wait, and the one too many.
    expect(parsed).toBeLessThanOrEqual(20 * 12);
  });

  it('are dropped when it closes', async () => {
    const connection = await Pipeline.open();
    for (const note of ['first', 'dropped', 'dropped too']) connection.post(note);
    await untilStill();
    connection.destroy();
    await sleep(100);
    open();
    await untilStill();
    expect(begun).toEqual(['first']);
  });
});

it('requests that arrive at the same moment begin in several turns of the event loop', async () => {
  const fastify = Fastify();
  let ofTurn = 0;
  let most = 0;
  let accepted = 0;
  fastify.server.on('connection', () => (accepted += 1));
  serveInOrder(fastify, createLogger('silent'));
  fastify.get('/notes', async () => (ofTurn += 1));
  const { port } = new URL(await fastify.listen({ host: '127.0.0.1', port: 0 }));
  const connections = await openMany(300, Number(port));
  await expect.poll(() => accepted).toBe(300);
  await watched(
    async () => {
      for (const connection of connections) connection.get('/notes', 1);
      for (const connection of connections) await expect.poll(() => connection.statuses).toHaveLength(1);
    },
    () => {
      most = Math.max(most, ofTurn);
      ofTurn = 0;
    },
  );
  await fastify.close();
  // 64 in a turn. The look of this test may be before or after those of its turn.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(128);
});

describe('requests of one account', () => {
  let busy: Owner & { readonly token: string };
  beforeEach(async () => {
    busy = await addOwner(store, 'user', { name: 'busy', admin: true });
  });
  const send = async (title: string, count: number, token = busy.token): Promise<readonly Pipeline[]> => {
    const connections = await openMany(count);
    for (const connection of connections) connection.post(title, token);
    await untilStill();
    return connections;
  };

  it('leave turns to another account, whose request is answered before them', async () => {
    const other = await addOwner(store, 'user', { name: 'other', admin: true });
    const connections = await send('busy', 30);
    expect(begun.length).toBeLessThanOrEqual(TURNS_OF_ACCOUNT);
    const response = await api.fetch('/notes', { headers: { authorization: `Bearer ${other.token}` } });
    expect(response.status).toBe(200);
    expect(connections.flatMap(({ statuses }) => statuses)).toEqual([]);
    open();
    await expect.poll(() => connections.flatMap(({ statuses }) => statuses)).toEqual(connections.map(() => 201));
  });

  it('are served by turns with those of other principals', async () => {
    const bot = await addOwner(store, 'bot_user', { name: 'bot' }, busy);
    await send('busy', 30);
    await expect.poll(() => begun).toHaveLength(TURNS_OF_ACCOUNT);
    await send('bot', 1, bot.token);
    open();
    await expect.poll(() => begun).toHaveLength(31);
    // After the requests that had begun, and not after all that waited.
    expect(begun.indexOf('bot')).toBeLessThan(2 * TURNS_OF_ACCOUNT + 2);
  });

  it('keep their turns when their clients leave, until their handlers have ended', async () => {
    await send('gone', TURNS_OF_ACCOUNT);
    await expect.poll(() => begun).toHaveLength(TURNS_OF_ACCOUNT);
    for (const socket of sockets) socket.destroy();
    const next = await send('next', TURNS_OF_ACCOUNT);
    expect(begun).toEqual(Array.from({ length: TURNS_OF_ACCOUNT }, () => 'gone'));
    open();
    await expect.poll(() => next.flatMap(({ statuses }) => statuses)).toEqual(next.map(() => 201));
  });

  it('give their turns back when their clients leave before a file is sent', async () => {
    const readers = await openMany(12);
    for (const reader of readers) reader.get('/notes/file/now', 1, busy.token);
    await untilStill();
    for (const reader of readers) reader.destroy();
    // The service notices it.
    await sleep(200);
    open();
    await untilStill();
    const others = await openMany(12);
    for (const other of others) other.get('/notes', 1, busy.token);
    await expect.poll(() => others.flatMap(({ statuses }) => statuses)).toEqual(others.map(() => 200));
  });

  it('that cost much have few turns of their own', async () => {
    const searches = await openMany(8);
    for (const connection of searches) connection.get('/notes/costly/search', 1, busy.token);
    await untilStill();
    expect(begun.length).toBeLessThanOrEqual(2);
    const response = await api.fetch('/notes', { headers: { authorization: `Bearer ${busy.token}` } });
    expect(response.status).toBe(200);
    open();
    await expect.poll(() => searches.flatMap(({ statuses }) => statuses)).toEqual(searches.map(() => 200));
  });
});

describe('what waits', () => {
  it('is bounded in bytes: of a principal, an account and the process', async ({ onTestFinished }) => {
    const enter = vi.spyOn(Admission.prototype, 'enter');
    onTestFinished(() => enter.mockRestore());
    let announced = 0;
    /** Announces a body, and waits until it is let in or refused. */
    const announce = async (connection: Pipeline | undefined, bytes: number, token: string): Promise<void> => {
      connection?.announce(bytes, token);
      announced += 1;
      await expect.poll(() => enter.mock.calls.length, { interval: 5 }).toBeGreaterThanOrEqual(announced);
    };
    const owners = [api, await addOwner(store, 'user', { name: 'a' }), await addOwner(store, 'user', { name: 'b' })];
    const refused: (number | undefined)[] = [];
    for (const owner of owners) {
      const bot = await addOwner(store, 'bot_user', { name: 'bot' }, owner);
      // Of 12 and 16 MiB.
      for (const [token, bodies] of [
        [owner.token, 5],
        [bot.token, 2],
      ] as const) {
        for (const connection of await openMany(bodies)) await announce(connection, 2_000_000, token);
      }
      const [first, second] = await openMany(2);
      await announce(first, 2_097_152, owner.token);
      await announce(second, 2_097_152, bot.token);
      // The second one is always refused, and the first one where the process has too many bytes.
      await expect.poll(() => second?.statuses.length).toBe(1);
      if (owner === owners.at(-1)) await expect.poll(() => first?.statuses.length).toBe(1);
      await sleep(100);
      refused.push(first?.statuses[0], second?.statuses[0]);
    }
    expect(refused).toEqual([undefined, 429, undefined, 429, 503, 503]);
    for (const socket of sockets) socket.destroy();
    open();
    // When the service has noticed it.
    const write = async () => (await api.fetch('/notes', { method: 'POST', json: { title: 'after' } })).status;
    await expect.poll(write).toBe(201);
  });
});

it('the lookups of many keys share queries', async () => {
  const tokens = await Promise.all(Array.from({ length: 60 }, () => addKey(store, api)));
  const waited = await mostWaiting(api.app.get<Store>(STORE), async () => {
    const connections = await openMany(tokens.length);
    connections.forEach((connection, index) => connection.get('/notes', 1, tokens[index]));
    await expect.poll(() => connections.flatMap(({ statuses }) => statuses)).toEqual(tokens.map(() => 200));
  });
  expect(waited).toBe(0);
});

describe('the whole service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startTestService(store.connectionString, { ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0' });
  });
  afterAll(() => service?.stop());

  it('lets no request wait for a connection of its pool, whatever is pipelined', async () => {
    const port = Number(new URL(service.url).port);
    const token = await addKey(store, api);
    const waited = await mostWaiting(service.app.get<Store>(STORE), async () => {
      const connections = await openMany(40, port);
      for (const connection of connections) connection.get('/ip_policies', 11, token);
      await expect.poll(() => connections.flatMap(({ statuses }) => statuses)).toHaveLength(40 * 11);
      expect(new Set(connections.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
    });
    expect(waited).toBe(0);
  });

  it('answers another account between searches that read much and find nothing', async () => {
    const searching = await addOwner(store, 'user', { name: 'searching', admin: true });
    const quiet = await addOwner(store, 'user', { name: 'quiet', admin: true });
    const client = new TestClient(service.url, searching.token);
    await client.create('/resource_types', { name: 'searched' });
    for (let batch = 0; batch < 8; batch += 1) {
      const events = Array.from({ length: 500 }, (_, number) => ({
        id: `${batch}-${number}`,
        type: 'searched_created.v0',
        resource_id: `${batch}-${number}`,
        object: {},
        principal: { id: 'user-1' },
      }));
      expect((await client.post('/events', { events })).status).toBe(202);
    }
    const searches = await openMany(100, Number(new URL(service.url).port));
    const answered = () => searches.flatMap(({ statuses }) => statuses);
    for (const search of searches) search.get('/events?changed=nothing&type=searched_created.v0', 1, searching.token);
    await expect.poll(() => answered().length, { interval: 1 }).toBeGreaterThan(0);
    const before = answered().length;
    expect((await new TestClient(service.url, quiet.token).get('/ip_policies')).status).toBe(200);
    expect(answered().length - before).toBeLessThan(30);
    await expect.poll(answered).toEqual(searches.map(() => 200));
  });

  it('serves others while a preview is computed', async () => {
    const client = new TestClient(service.url, await addKey(store, api));
    await client.create('/resource_types', { name: 'many_members' });
    const object = Object.fromEntries(Array.from({ length: 3_000 }, (_, member) => [`member-${member}`, member]));
    const events = Array.from({ length: 10 }, (_, number) => ({
      id: `${number}`,
      type: 'many_members_created.v0',
      resource_id: `${number}`,
      object,
      principal: { id: 'user-1' },
    }));
    expect((await client.post('/events', { events })).status).toBe(202);
    const preview = {
      type: 'many_members_created.v0',
      filter: 'dyn(object).size() > 1',
      fields: { hash: ['/object'] },
      limit: 10,
    };
    const shares: number[] = [];
    // Another process may take the CPU from any of them.
    for (let round = 0; round < 4; round += 1) {
      const startedAt = performance.now();
      const longest = await longestStep(async () => {
        const { status, body } = await client.post('/event_subscriptions/preview', preview);
        expect([status, body.evaluated]).toEqual([200, 10]);
      });
      shares.push(longest / (performance.now() - startedAt));
    }
    expect(Math.min(...shares)).toBeLessThan(0.3);
  });
});

/** Returns the longest step of the event loop while `work` ran, in milliseconds. */
async function longestStep(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  await watched(work, () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  });
  return longest;
}

/** Returns the most queries that waited for a connection of the pool while `work` ran. */
async function mostWaiting({ pool }: Store, work: () => Promise<void>): Promise<number> {
  let most = 0;
  await watched(work, () => {
    most = Math.max(most, pool.waitingCount);
  });
  return most;
}

/** Calls `look` in each step of the event loop while `work` runs. */
async function watched(work: () => Promise<void>, look: () => void): Promise<void> {
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      await turnOfLoop();
      look();
    }
  })();
  try {
    await work();
  } finally {
    over.abort();
    await watching;
  }
}
