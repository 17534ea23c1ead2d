import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Store } from '../../../src/database/store.js';
import { createTestStore } from '../../support/database.js';
import { testSecretsKeys } from '../../support/secrets.js';
import { withoutLongTimers } from './long-timers.js';
import { postgresError, Programs, says, silentServer, type Run } from './process-run.js';

const programs = new Programs();
let store: Store;
let folder: string;
beforeAll(async () => {
  store = await createTestStore();
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-first-start-'));
});
afterAll(async () => {
  programs.close();
  await store.close();
  await rm(folder, { recursive: true });
});

/** A password in an address, which nothing may show. */
const PASSWORD = 'planted-password';

/** Returns the log lines that a process has written. */
function linesOf(out: string): readonly Record<string, unknown>[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Starts the service. Once it is interrupted, it ends only if it waits for no timer of two seconds or longer. */
function startImpatient(settings: Readonly<Record<string, string>>): Run {
  return programs.start([...withoutLongTimers, 'service/main.js'], { ...settings, SECRETS_KEYS: testSecretsKeys });
}

/** Presses Ctrl-C. Returns the exit code, and the messages of the log from then on. */
async function interrupt({ child, ended, said }: Run): Promise<{ readonly code: unknown; readonly after: unknown[] }> {
  child.kill('SIGINT');
  const code = await ended;
  // The first API key is between the lines of the log.
  const logged = (await said)[0].split('\n').filter((line) => line.startsWith('{'));
  const messages = linesOf(logged.join('\n')).map(({ msg }) => msg);
  return { code, after: messages.slice(messages.indexOf('stopping')) };
}

describe('a port in use', () => {
  it.each([
    ['PORT', {}],
    ['DATA_PLANE_PORT', { DATA_PLANE_KEY: 'data_plane_key_0123456789abcdef' }],
  ])('is told by %s before anything is created', async (setting, settings) => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const dataDir = path.join(folder, `data-of-${setting}`);
    const service = programs.start(['service/main.js'], { DATA_DIR: dataDir, ...settings, [setting]: String(port) });
    expect(await service.ended).toBe(1);
    const lines = linesOf((await service.said)[0]);
    expect(lines.map(({ msg }) => msg)).toEqual(['starting', 'the start failed']);
    expect(lines[1]).toMatchObject({
      level: 60,
      err: {
        type: 'SettingError',
        message: expect.stringContaining(
          `${setting} is ${port}, and another program listens on 127.0.0.1:${port} (EADDRINUSE). Stop that program, or set another ${setting}.`,
        ),
      },
    });
    expect(existsSync(dataDir)).toBe(false);
    occupant.close();
  });

  it('is told, and so is a host that is not of this machine', async () => {
    const service = programs.start(['service/main.js'], { HOST: '192.0.2.1', DATA_DIR: path.join(folder, 'data') });
    expect(await service.ended).toBe(1);
    expect((await service.said)[0]).toContain(
      'HOST is 192.0.2.1, which is no address of this machine (EADDRNOTAVAIL).',
    );
    expect(existsSync(path.join(folder, 'data'))).toBe(false);
  });
});

it.each([
  ['--help', 0, 'Its settings are environment variables'],
  ['start', 1, 'too many arguments'],
])('the argument %s starts no service', async (argument, code, text) => {
  const dataDir = path.join(folder, `data-of-${argument}`);
  const service = programs.start(['service/main.js', argument], { DATA_DIR: dataDir });
  expect(await service.ended).toBe(code);
  expect((await service.said).join('')).toContain(text);
  expect(existsSync(dataDir)).toBe(false);
});

it('a misspelt setting ends the start, and nothing is created', async () => {
  const dataDir = path.join(folder, 'data-of-misspelling');
  const service = programs.start(['service/main.js'], {
    REDIS_ULR: `redis://:${PASSWORD}@127.0.0.1`,
    DATA_DIR: dataDir,
  });
  expect(await service.ended).toBe(1);
  const [out, error] = await service.said;
  expect(out).toBe('');
  expect(error).toContain('REDIS_ULR is not a setting: did you mean REDIS_URL?');
  expect(error).not.toContain(PASSWORD);
  expect(existsSync(dataDir)).toBe(false);
});

/** Answers the first message of each client. */
async function answeringServer(answer: Buffer | string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('a wrong DATABASE_URL', () => {
  const startWith = (url: string): Run => startImpatient({ DATABASE_URL: url });

  /** Returns the error of a start that failed. */
  async function failureOf(service: Run): Promise<string> {
    expect(await service.ended).toBe(1);
    const [out, error] = await service.said;
    expect(out + error).not.toContain(PASSWORD);
    const failure = linesOf(out).find(({ msg }) => msg === 'the start failed');
    expect(failure).toMatchObject({ err: { type: 'SettingError' } });
    return JSON.stringify(failure);
  }

  it('with a wrong password says what was tried, and ends', async () => {
    const { server, port } = await answeringServer(
      postgresError('28P01', 'password authentication failed for user "me"'),
    );
    expect(await failureOf(startWith(`postgres://me:${PASSWORD}@127.0.0.1:${port}/trail?sslmode=disable`))).toContain(
      `The Postgres of DATABASE_URL (postgres://127.0.0.1:${port}/trail) cannot be used: password authentication failed`,
    );
    server.close();
  });

  it('with a wrong database says what was tried, and ends', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/no_such_database';
    const message = await failureOf(startWith(url.href));
    expect(message).toContain(`(${url.protocol}//${url.host}/no_such_database) cannot be used`);
    expect(message).toContain('Create the database, or name another one.');
  });

  it.each([
    ['does not listen', async () => ({ server: null, port: await freePort() }), 'waiting for Postgres'],
    ['does not answer', silentServer, 'starting'],
  ] as const)('whose server %s is told while it waits, and Ctrl-C ends it', async (_, open, words) => {
    const { server, port } = await open();
    const connected = server && once(server, 'connection');
    const service = startWith(`postgres://me:${PASSWORD}@127.0.0.1:${port}/trail`);
    const seen = await says(service, words);
    await connected;
    if (server === null) {
      expect(linesOf(seen).find(({ msg }) => msg === words)).toMatchObject({
        setting: 'DATABASE_URL',
        tried: `postgres://127.0.0.1:${port}/trail`,
        reason: expect.stringContaining('ECONNREFUSED'),
      });
    }
    const { code, after } = await interrupt(service);
    expect(code).toBe(0);
    // The try that the signal interrupts may still report that it was refused. There is no further one.
    const ends = ['stopping', 'stopped before the service was ready'];
    expect(server === null ? [ends, ends.toSpliced(1, 0, words)] : [ends]).toContainEqual(after);
    expect((await service.said).join('')).not.toContain(PASSWORD);
    server?.close();
  });
});

describe('a wrong REDIS_URL', () => {
  const UNREACHABLE = 'queue store unreachable or refusing commands; deliveries wait and continue by themselves';

  it.each([
    ['does not listen', async () => ({ server: null, port: await freePort() }), []],
    ['does not answer', silentServer, []],
    ['refuses the password', () => answeringServer('-WRONGPASS invalid username-password pair\r\n'), ['"msg":"ready"']],
  ] as const)('whose server %s is told, and Ctrl-C ends the service', async (_, open, words) => {
    const { server, port } = await open();
    const service = startImpatient({
      DATABASE_URL: store.connectionString,
      REDIS_URL: `redis://me:${PASSWORD}@127.0.0.1:${port}/3`,
    });
    const seen = await says(service, UNREACHABLE, ...words);
    const line = seen.split('\n').find((text) => text.includes(UNREACHABLE)) ?? '';
    expect(JSON.parse(line)).toMatchObject({ setting: 'REDIS_URL', tried: `redis://127.0.0.1:${port}/3` });
    const { code, after } = await interrupt(service);
    expect(code).toBe(0);
    expect(after.at(-1)).toMatch(/^stopped/);
    expect((await service.said).join('')).not.toContain(PASSWORD);
    server?.close();
  });
});

/** Keeps all threads of the pool busy after SIGINT, so that an asynchronous write to the log waits for them. */
const BUSY_THREADS = `
import { pbkdf2 } from 'node:crypto';
process.once('SIGINT', () => {
  for (let thread = 0; thread < 4; thread += 1) pbkdf2('password', 'salt', 300_000, 64, 'sha512', () => {});
});
`;

describe('the log', () => {
  const waiting = async (more: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> => ({
    DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:${await freePort()}/trail`,
    SECRETS_KEYS: testSecretsKeys,
    ...more,
  });
  const readable = /^\d\d:\d\d:\d\d\.\d{3} INFO {2}waiting for Postgres .*reason="connect ECONNREFUSED/m;
  const withoutColours = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');

  it('is complete and in order when the process exits, however busy its threads are', async () => {
    const busy = ['--import', `data:text/javascript,${encodeURIComponent(BUSY_THREADS)}`];
    const service = programs.start([...busy, 'service/main.js'], await waiting());
    await says(service, 'waiting for Postgres');
    const { code, after } = await interrupt(service);
    expect(code).toBe(0);
    expect(after.filter((message) => message !== 'waiting for Postgres')).toEqual([
      'stopping',
      'stopped before the service was ready',
    ]);
  });

  it('is readable in a terminal, where Ctrl-C ends the service', async () => {
    const service = programs.startInTerminal('service/main.js', await waiting());
    await says(service, 'waiting for Postgres');
    service.child.stdin?.write('\u0003');
    expect(await service.ended).toBe(0);
    const [out] = await service.said;
    expect(out).toContain('\u001b[32mINFO \u001b[39m');
    expect(withoutColours(out)).toMatch(readable);
    expect(withoutColours(out)).toContain('stopped before the service was ready');
    expect(out).not.toContain('"msg"');
    expect(out).not.toContain(PASSWORD);
  });

  it('has no colours in a terminal with NO_COLOR, and is JSON there with LOG_FORMAT=json', async () => {
    const plain = programs.startInTerminal('service/main.js', await waiting({ NO_COLOR: '1' }));
    const json = programs.startInTerminal('service/main.js', await waiting({ LOG_FORMAT: 'json' }));
    for (const service of [plain, json]) {
      await says(service, 'waiting for Postgres');
      service.child.stdin?.write('\u0003');
      expect(await service.ended).toBe(0);
    }
    expect((await plain.said)[0]).toMatch(readable);
    expect((await json.said)[0]).toContain('"msg":"waiting for Postgres"');
  });

  it('is JSON everywhere else, with the instance in every line, unless LOG_FORMAT=pretty asks for readable lines', async () => {
    const json = programs.start(['service/main.js'], await waiting({ INSTANCE_NAME: 'api-7' }));
    const pretty = programs.start(['service/main.js'], await waiting({ LOG_FORMAT: 'pretty' }));
    for (const service of [json, pretty]) {
      await says(service, 'waiting for Postgres');
      service.child.kill('SIGINT');
      expect(await service.ended).toBe(0);
    }
    const lines = linesOf((await json.said)[0]);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatchObject({ instance: 'api-7' });
    expect((await pretty.said)[0]).toMatch(readable);
    expect((await pretty.said)[0]).not.toContain('\u001b');
  });
});
