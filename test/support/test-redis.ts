import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/database/embedded/free-port.js';
import { startWithParent, type GuardedProcess } from '../../src/database/embedded/process-with-parent.js';
import { programEnvironment } from '../../src/database/embedded/run-program.js';

/** The Redis of a test run. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Oldest Redis that the service supports, as an image of the container registry. */
const IMAGE = 'redis:7-alpine';

/** What the service asks of its Redis; persistence is off because a test run keeps nothing. */
const SETTINGS = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];

/**
 * Finds or starts a Redis: REDIS_URL, else a container where Docker answers, else a `redis-server` or `valkey-server` of this
 * machine. Null (and a loud message) where there is none; with CI=true that is an error instead.
 */
export async function startTestRedis(): Promise<TestRedis | null> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, stop: () => Promise.resolve() };
  const started = (await dockerAnswers()) ? await startContainer() : await startProgram();
  if (started) return started;
  const message =
    'No Redis for the tests: set REDIS_URL, start Docker, or install redis-server or valkey-server. ' +
    'EVERY TEST ON THE REDIS BACKEND IS SKIPPED.';
  if (process.env['CI'] === 'true') throw new Error(message);
  console.error(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return null;
}

/** Whether a Docker daemon listens; asks its socket and nothing else, so that a machine without Docker loses no time. */
async function dockerAnswers(): Promise<boolean> {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const url = new URL(host);
  const target =
    url.protocol === 'unix:'
      ? { path: url.pathname }
      : { host: url.hostname, port: Number(url.port || 2375) };
  if (target.path !== undefined && !existsSync(target.path)) return false;
  const socket = createConnection({ ...target, timeout: 1_000 });
  try {
    await Promise.race([
      once(socket, 'connect'),
      once(socket, 'timeout').then(() => Promise.reject(new Error('no answer'))),
    ]);
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function startContainer(): Promise<TestRedis> {
  // Loaded only here: testcontainers takes long to load, and most runs do not need it.
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withCommand(['redis-server', ...SETTINGS])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    .start();
  return {
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: async () => {
      await container.stop();
    },
  };
}

function findProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = ['redis-server', 'valkey-server'].flatMap((name) =>
    folders.map((folder) => path.join(folder, name)),
  );
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

async function startProgram(): Promise<TestRedis | null> {
  const program = findProgram();
  if (!program) return null;
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', tmpdir(), ...SETTINGS];
  // Ends with the run, also if that is killed.
  const server = startWithParent(program, args, 'TERM', {
    cwd: tmpdir(),
    env: programEnvironment(),
    account: null,
  });
  server.stdout.resume();
  server.stderr.resume();
  await untilAccepts(server, program, port);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.stdin.end();
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function untilAccepts(server: GuardedProcess, program: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`${program} ended at once (exit ${server.exitCode}).`);
    const socket = createConnection({ host: '127.0.0.1', port });
    const accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (accepted) return;
    await sleep(25);
  }
  throw new Error(`${program} does not accept connections on port ${port}.`);
}
