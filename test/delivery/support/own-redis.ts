import { tmpdir } from 'node:os';
import { freePort } from '@waybill/embedded-postgres';
import { findRedisProgram, RedisServer } from '../../../tools/harness/redis-server.js';

/** Starts a Redis of this machine for one test, on a free port. After a stop and a start it is empty. */
export async function startOwnRedis(): Promise<RedisServer> {
  const program = findRedisProgram();
  if (program === null) throw new Error('No redis-server or valkey-server in the PATH.');
  const server = new RedisServer(program, tmpdir(), await freePort(), ['--save', '']);
  await server.start();
  return server;
}
