import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../environment/stage.js';
import { KeepAliveConnection, type LoadAnswer } from './keep-alive-connection.js';

/** Connections of a load, as a busy client would keep them. */
const CONNECTION_COUNT = 32;

/** What a client of the API sends with every request. */
export function apiHeaders(stage: Stage): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${stage.token}`, 'service-version': '2', 'user-agent': 'waybill-bench' };
}

/** The change that loads make: a new IP policy. */
export const POLICY_PATH = '/ip_policies';

function policyBody(number: number): string {
  return JSON.stringify({
    description: `office ${number}`,
    metadata: JSON.stringify({ team: 'platform', number }),
  });
}

/** Posts IP policies, and nothing but a 201 will do. */
export class Load {
  private sent = 0;

  private constructor(private readonly connections: readonly KeepAliveConnection[]) {}

  static async open(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<Load> {
    const opening = Array.from({ length: CONNECTION_COUNT }, () =>
      KeepAliveConnection.open(baseUrl, headers),
    );
    return new Load(await Promise.all(opening));
  }

  /** How many were answered 201 so far. */
  get created(): number {
    return this.sent;
  }

  /** As many as the server answers for so many seconds, one after the other on each connection. Gives answers a second. */
  async flat(seconds: number): Promise<number> {
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
   * So many a second, each at its time whether or not those before it have been answered; one that finds no free connection
   * waits for one. Gives every answer.
   */
  async paced(perSecond: number, count: number): Promise<readonly LoadAnswer[]> {
    const startedAt = performance.now();
    const answers: LoadAnswer[] = [];
    let next = 0;
    const run = async (connection: KeepAliveConnection) => {
      for (let number = next++; number < count; number = next++) {
        const wait = startedAt + (number * 1_000) / perSecond - performance.now();
        if (wait > 0) await sleep(wait);
        answers.push(await this.post(connection));
      }
    };
    await Promise.all(this.connections.map(run));
    return answers;
  }

  /** One, and its answer. */
  async one(): Promise<LoadAnswer> {
    const [connection] = this.connections;
    if (!connection) throw new Error('The load has no connection.');
    return this.post(connection);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  private async post(connection: KeepAliveConnection): Promise<LoadAnswer> {
    const answer = await connection.post(POLICY_PATH, policyBody(this.sent));
    if (answer.status !== 201) throw new Error(`A write was answered ${answer.status}.`);
    this.sent += 1;
    return answer;
  }
}
