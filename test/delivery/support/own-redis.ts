import { tmpdir } from 'node:os';
import { RedisServer } from '../../../tools/harness/redis-server.js';

/** Starts a Redis of this machine for one test, on a free port. After a stop and a start it is empty. */
export async function startOwnRedis(): Promise<RedisServer> {
  const server = await RedisServer.open(tmpdir(), ['--save', '']);
  if (server === null) throw new Error('No redis-server or valkey-server in the PATH.');
  return server;
}
