import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../environment/installation.js';
import { KeepAliveConnection, type LoadResponse } from './keep-alive-connection.js';

/** Connections of a load, as a busy client keeps them. */
const CONNECTION_COUNT = 32;

/** Returns the headers that a client sends with every request. */
export function apiHeaders(installation: Installation): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${installation.token}`,
    'service-version': '2',
    'user-agent': 'waybill-bench',
  };
}

/** Every load creates IP policies. */
export const POLICY_PATH = '/ip_policies';

function policyBody(number: number): string {
  return JSON.stringify({
    description: `office ${number}`,
    metadata: JSON.stringify({ team: 'platform', number }),
  });
}

/** Creates IP policies. Any response other than 201 is an error. */
export class Load {
  private sent = 0;

  private constructor(private readonly connections: readonly KeepAliveConnection[]) {}

  static async open(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<Load> {
    const opening = Array.from({ length: CONNECTION_COUNT }, () => KeepAliveConnection.open(baseUrl, headers));
    return new Load(await Promise.all(opening));
  }

  /** Number of 201 responses so far. */
  get created(): number {
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
    const response = await connection.post(POLICY_PATH, policyBody(this.sent));
    if (response.status !== 201) throw new Error(`A write failed with status ${response.status}.`);
    this.sent += 1;
    return response;
  }
}
