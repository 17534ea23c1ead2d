import { total } from '../count/count.js';
import type { ProcessName } from '../environment/service-processes.js';
import { bothBackends, type Scenario } from '../scenario.js';

/**
 * A rolling deploy under load: new processes beside the old ones, then SIGTERM to the old. The load knows every api that listens
 * and goes on asking the old one until it is gone, as behind a balancer that is told nothing.
 */
export const deploy: Scenario = {
  name: 'deploy',
  title: 'SIGTERM of each process under load, old and new side by side',
  backends: bothBackends,
  short: ['redis'],
  async run(stage) {
    const { crew } = stage;
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion']);
    await stage.startLoad(stage.pick(60, 40));
    const codes = new Map<string, number | null>();
    let old: readonly [ProcessName, ProcessName] = ['api', 'worker'];
    let fresh: readonly [ProcessName, ProcessName] = ['api-2', 'worker-2'];
    const deploys = stage.pick(4, 1);
    for (let number = 1; number <= deploys; number += 1) {
      await stage.untilDelivering();
      for (const name of fresh) await crew.start(name);
      await stage.pass(stage.pick(3, 1));
      for (const name of old) {
        const begun = performance.now();
        codes.set(`${name} of deploy ${number}`, await crew.stop(name));
        stage.say(`${name} ended after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
      }
      [old, fresh] = [fresh, old];
    }
    const count = await stage.prove();
    for (const [name, code] of codes)
      stage.expect(code === 0, `${name} ended with 0, not ${code ?? 'by a signal'}`);
    stage.expect(
      count.published_unanswered === 0,
      `every change that was made was answered; ${count.published_unanswered} were not`,
    );
    stage.expect(
      stage.load.tally.failed.size === 0,
      'no answer was an error: ' + Array.from(stage.load.tally.failed.keys()).join(', '),
    );
    stage.expect(total(count, 'duplicates') === 0, 'nothing came twice: workers ended their batches');
    return count;
  },
};
