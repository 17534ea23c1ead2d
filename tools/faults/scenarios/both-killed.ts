import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessName } from '../environment/service-processes.js';
import { bothBackends, type Scenario } from '../scenario.js';

const names = ['api', 'api-2', 'worker', 'worker-2'] as const satisfies readonly ProcessName[];

/** Two processes of each kind, one of which is killed at random every second or two, ready or not, and started again at once. */
export const bothKilled: Scenario = {
  name: 'both-killed',
  title: 'kill -9 of api and worker processes at random for a minute',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew } = stage;
    for (const name of names) await crew.start(name);
    await stage.subscribe(['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion']);
    await stage.startLoad(stage.pick(50, 40));
    await stage.untilDelivering();
    const kills = new Map<ProcessName, number>();
    const until = performance.now() + stage.pick(60, 10) * 1_000;
    for (let left: ProcessName[] = []; performance.now() < until;) {
      await sleep(500 + Math.random() * 2_000);
      // Each in its turn, in an order that chance gives: a short run has killed all of them too.
      if (left.length === 0) left = [...names];
      const [name = 'worker'] = left.splice(Math.floor(Math.random() * left.length), 1);
      await crew.kill(name);
      kills.set(name, (kills.get(name) ?? 0) + 1);
      stage.say(`killed ${name}; ${stage.load.summary}`);
      await crew.start(name, { wait: false });
    }
    for (const name of names) await crew.ready(name);
    const spared = names.filter((name) => !kills.has(name));
    stage.expect(spared.length === 0, `each process was killed at least once; not so: ${spared.join(', ')}`);
    const { unanswered, refused } = stage.load.tally;
    stage.expect(unanswered + refused > 0, `the kills struck requests: ${stage.load.summary}`);
    stage.note(`killed: ${Array.from(kills, ([name, times]) => `${name} ${times} times`).join(', ')}`);
    return stage.prove();
  },
};
