import { mkdir } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { freePort } from '@waybill/embedded-postgres';
import { findRedisProgram, RedisServer } from '../../bench/environment/redis-server.js';

/** The Redis of one scenario: it keeps its port and its data when it is stopped and started again. */
export class FaultRedis {
  private constructor(
    private readonly server: RedisServer,
    /** A client of the scenario's own, for FLUSHALL, CONFIG SET and the like. It connects again by itself. */
    readonly client: Redis,
  ) {}

  /**
   * Starts one in `folder`.
   * @throws Error where this machine has none
   */
  static async open(folder: string): Promise<FaultRedis> {
    const program = findRedisProgram();
    if (program === null) throw new Error('There is no redis-server or valkey-server in the PATH.');
    await mkdir(folder, { recursive: true });
    const server = new RedisServer(program, folder, await freePort());
    await server.start();
    const client = new Redis(server.url, { retryStrategy: () => 200 });
    client.on('error', () => {});
    await client.ping();
    return new FaultRedis(server, client);
  }

  get url(): string {
    return this.server.url;
  }

  /** Starts it again on the same port with what it had written down. */
  start(): Promise<void> {
    return this.server.start();
  }

  /** SIGTERM: it writes down what it has and ends. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** SIGKILL: what the last second's fsync did not reach is gone. */
  async kill(): Promise<void> {
    const pid = Number(/^process_id:(\d+)/m.exec(await this.client.info('server'))?.[1]);
    process.kill(pid, 'SIGKILL');
    await this.server.ended();
  }

  async close(): Promise<void> {
    this.client.disconnect();
    await this.server.stop();
  }
}
