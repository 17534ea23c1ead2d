import { tmpdir } from 'node:os';
import { RedisServer } from '../../tools/harness/redis-server.js';
import { startContainer } from './container-engine.js';

/** The Redis of a test run. */
export interface TestRedis {
  readonly url: string;
  /** Where it comes from: a setting, a container or a program. */
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

async function startProgram(): Promise<TestRedis | null> {
  const server = await RedisServer.open(tmpdir(), SETTINGS);
  return server && { url: server.url, source: server.program, stop: () => server.stop() };
}
