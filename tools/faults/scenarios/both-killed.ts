import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '../environment/service-processes.js';
import type { Scenario } from '../scenario.js';

const names = ['api', 'api-2', 'worker', 'worker-2'] as const satisfies readonly ProcessName[];

/**
 * Kills one of two api and two worker processes at random, ready or not, every second or two, and restarts it at once.
 */
export const bothKilled: Scenario = {
  name: 'both-killed',
  title: 'kill -9 of api and worker processes at random for a minute',
  async run(environment) {
    const { processes } = environment;
    for (const name of names) await processes.start(name);
    await environment.subscribe(['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion']);
    await environment.startLoad(environment.pick(50, 40));
    await environment.waitForDelivery();
    const kills = new Map<ProcessName, number>();
    const until = performance.now() + environment.pick(60, 10) * 1_000;
    for (let left: ProcessName[] = []; performance.now() < until;) {
      await sleep(500 + Math.random() * 2_000);
      // Random order, but every process before any twice, so that a short run kills all of them.
      if (left.length === 0) left = [...names];
      const [name = 'worker'] = left.splice(Math.floor(Math.random() * left.length), 1);
      await processes.kill(name);
      kills.set(name, (kills.get(name) ?? 0) + 1);
      environment.log(`killed ${name}; ${environment.load.summary}`);
      await processes.start(name, { wait: false });
    }
    for (const name of names) await processes.ready(name);
    const spared = names.filter((name) => !kills.has(name));
    environment.expect(spared.length === 0, `every process was killed at least once; missing: ${spared.join(', ')}`);
    const { unanswered, refused } = environment.load.counts;
    environment.expect(unanswered + refused > 0, `the kills interrupted requests: ${environment.load.summary}`);
    environment.note(`killed: ${Array.from(kills, ([name, times]) => `${name} ${times} times`).join(', ')}`);
    return environment.verify();
  },
};
