import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startWithParent, type GuardedProcess } from '@waybill/embedded-postgres';
import { startContainer } from './container-engine.js';

/** The Redis of a test run. */
export interface TestRedis {
  readonly url: string;
  /** What it is: a setting, a container or a program. */
  readonly source: string;
  stop(): Promise<void>;
}

/** The Valkey of docker-compose.yml. */
const IMAGE = 'valkey/valkey:8';

/** The eviction policy is what the service requires. Persistence is off: a test run keeps nothing. */
const SETTINGS = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];

/**
 * Finds or starts a Redis: REDIS_URL, else Valkey in a container, else `redis-server` or `valkey-server` from the PATH.
 * Returns null and prints a warning where there is none.
 * @throws instead of the warning with CI=true
 */
export async function startTestRedis(): Promise<TestRedis | null> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, source: 'REDIS_URL', stop: () => Promise.resolve() };
  const started = (await startInContainer()) ?? (await startProgram());
  if (started) return started;
  const message =
    'No Redis for the tests: set REDIS_URL, start a container engine, or install redis-server or valkey-server. ' +
    'EVERY TEST ON THE REDIS BACKEND IS SKIPPED.';
  if (process.env['CI'] === 'true') throw new Error(message);
  console.error(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return null;
}

async function startInContainer(): Promise<TestRedis | null> {
  const container = await startContainer({
    image: IMAGE,
    // Connections come from outside the container.
    command: ['valkey-server', '--protected-mode', 'no', ...SETTINGS],
    environment: {},
    port: 6379,
    ready: { line: /Ready to accept connections/, times: 1 },
  });
  if (!container) return null;
  const url = `redis://${container.host}:${container.port}`;
  return { url, source: `container ${IMAGE}`, stop: () => container.stop() };
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
  const server = startWithParent(program, args, { cwd: tmpdir(), endSignal: 'TERM' });
  server.stdout.resume();
  server.stderr.resume();
  await untilAccepts(server, program, port);
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.stdin.end();
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, source: program, stop };
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
