import { mkdir } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { RedisServer } from '../../harness/redis-server.js';

/** Redis of one scenario. It keeps its port and data over a restart. */
export class FaultRedis {
  private constructor(
    private readonly server: RedisServer,
    /** Client for commands such as FLUSHALL; reconnects automatically. */
    readonly client: Redis,
  ) {}

  /**
   * Starts Redis with its data in `folder`.
   * @throws Error if no Redis is installed
   */
  static async open(folder: string): Promise<FaultRedis> {
    await mkdir(folder, { recursive: true });
    const server = await RedisServer.open(folder);
    if (server === null) throw new Error('No redis-server or valkey-server in the PATH. Install one of them.');
    const client = new Redis(server.url, { retryStrategy: () => 200 });
    client.on('error', () => {});
    await client.ping();
    return new FaultRedis(server, client);
  }

  get url(): string {
    return this.server.url;
  }

  /** Starts Redis again on the same port and data. */
  start(): Promise<void> {
    return this.server.start();
  }

  /** SIGTERM: Redis saves its data and exits. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** SIGKILL: loses the data since the last fsync, up to a second. */
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
