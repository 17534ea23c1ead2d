import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Watched, WatchedRequests } from '../environment/watched.js';

/**
 * Sends the requests of an orchestrator and of a quiet account while the service is attacked, and measures how long
 * each waits. A process of its own: its clock does not wait for the attack. Each message of the parent is answered with
 * the requests since the last one.
 */
const [baseUrl = '', token = ''] = process.argv.slice(2);
const TIMEOUT_MS = 60_000;

/** Requests for one path, one after the other. */
class Requests {
  private readonly agent = new Agent({ keepAlive: true });
  private longestMs = 0;
  private statuses: Record<number, number> = {};
  private begun = performance.now();

  constructor(
    private readonly path: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async run(everyMs: number): Promise<never> {
    for (;;) {
      this.begun = performance.now();
      const status = await this.send();
      this.longestMs = Math.max(this.longestMs, performance.now() - this.begun);
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      this.begun = Number.NaN;
      await sleep(everyMs);
    }
  }

  /** Returns the requests since the last call; one that waits counts as long as it has waited. */
  take(): WatchedRequests {
    const waiting = performance.now() - this.begun;
    const longestMs = Math.max(this.longestMs, Number.isNaN(waiting) ? 0 : waiting);
    const taken = { longestMs, statuses: this.statuses };
    this.longestMs = 0;
    this.statuses = {};
    return taken;
  }

  private send(): Promise<number> {
    return new Promise((resolve) => {
      const sent = request(`${baseUrl}${this.path}`, { agent: this.agent, headers: this.headers, timeout: TIMEOUT_MS });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', () => resolve(0));
      sent.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve(0));
      });
      sent.end();
    });
  }
}

const live = new Requests('/livez', {});
const neighbour = new Requests('/ip_policies?limit=1', { authorization: `Bearer ${token}`, 'service-version': '2' });
process.on('message', () => {
  const watched: Watched = { live: live.take(), neighbour: neighbour.take() };
  process.send?.(watched);
});
process.on('disconnect', () => process.exit());
// Below the default rate of a key: 1,200 in a minute.
await Promise.all([live.run(20), neighbour.run(70)]);
