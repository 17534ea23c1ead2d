import { setTimeout as sleep } from 'node:timers/promises';
import { KeepAliveConnection, type LoadResponse } from './keep-alive-connection.js';

/** What a load sends. */
export interface LoadWork {
  readonly path: string;
  /** Connections, with one request at a time on each. */
  readonly connections: number;
  /** The status of every response; any other is an error. */
  readonly status: number;
  /** Returns the body of the request with this number, from 0. */
  body(number: number): string;
}

/** Creates IP policies, on as many connections as a busy client keeps. */
const policies: LoadWork = {
  path: '/ip_policies',
  connections: 32,
  status: 201,
  body: (number) =>
    JSON.stringify({
      description: `office ${number}`,
      metadata: JSON.stringify({ team: 'platform', number }),
    }),
};

/** Sends requests to one route. */
export class Load {
  private started = 0;
  private sent = 0;
  /** How long each request took, in milliseconds. */
  readonly durations: number[] = [];

  private constructor(
    private readonly work: LoadWork,
    private readonly connections: readonly KeepAliveConnection[],
  ) {}

  static async open(baseUrl: string, headers: Readonly<Record<string, string>>, work = policies): Promise<Load> {
    const opening = Array.from({ length: work.connections }, () => KeepAliveConnection.open(baseUrl, headers));
    return new Load(work, await Promise.all(opening));
  }

  /** Number of responses so far. */
  get answered(): number {
    return this.sent;
  }

  /** Sends as many requests as the server handles, one at a time on each connection. Returns requests per second. */
  async saturate(seconds: number): Promise<number> {
    const startedAt = performance.now();
    const before = this.sent;
    const until = startedAt + seconds * 1_000;
    const run = async (connection: KeepAliveConnection) => {
      while (performance.now() < until) await this.post(connection);
    };
    await Promise.all(this.connections.map(run));
    return (this.sent - before) / ((performance.now() - startedAt) / 1_000);
  }

  /**
   * Sends requests at a fixed rate, without waiting for earlier ones. A request waits if no connection is free.
   * @returns every response
   */
  async paced(perSecond: number, count: number): Promise<readonly LoadResponse[]> {
    const startedAt = performance.now();
    const responses: LoadResponse[] = [];
    let next = 0;
    const run = async (connection: KeepAliveConnection) => {
      for (let number = next++; number < count; number = next++) {
        const wait = startedAt + (number * 1_000) / perSecond - performance.now();
        if (wait > 0) await sleep(wait);
        responses.push(await this.post(connection));
      }
    };
    await Promise.all(this.connections.map(run));
    return responses;
  }

  /** Sends one request. */
  async one(): Promise<LoadResponse> {
    const [connection] = this.connections;
    if (!connection) throw new Error('The load has no connection.');
    return this.post(connection);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  private async post(connection: KeepAliveConnection): Promise<LoadResponse> {
    const { work } = this;
    const number = this.started++;
    const startedAt = performance.now();
    const response = await connection.post(work.path, work.body(number));
    if (response.status !== work.status) throw new Error(`A write failed with status ${response.status}.`);
    this.durations.push(performance.now() - startedAt);
    this.sent += 1;
    return response;
  }
}
