import { total } from '../count/count.js';
import type { ProcessName } from '../environment/service-processes.js';
import type { Scenario } from '../scenario.js';

/**
 * Rolling deploy under load: starts new processes, then sends SIGTERM to the old ones. The load calls every api that
 * listens, the old one until it exits, like a load balancer without a drain.
 */
export const deploy: Scenario = {
  name: 'deploy',
  title: 'SIGTERM of each process under load, old and new side by side',
  short: ['redis'],
  async run(environment) {
    const { processes } = environment;
    await environment.begin(
      ['delivery_stream', 'data_stream', 'log_group', 'monitoring', 'log_ingestion'],
      environment.pick(60, 40),
    );
    const codes = new Map<string, number | null>();
    let old: readonly [ProcessName, ProcessName] = ['api', 'worker'];
    let fresh: readonly [ProcessName, ProcessName] = ['api-2', 'worker-2'];
    const deploys = environment.pick(4, 1);
    for (let number = 1; number <= deploys; number += 1) {
      await environment.waitForDelivery();
      for (const name of fresh) await processes.start(name);
      await environment.wait(environment.pick(3, 1));
      for (const name of old) {
        const begun = performance.now();
        codes.set(`${name} of deploy ${number}`, await processes.stop(name));
        environment.log(`${name} exited after ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
      }
      [old, fresh] = [fresh, old];
    }
    const count = await environment.verify();
    for (const [name, code] of codes)
      environment.expect(code === 0, `${name} exited with 0, not ${code ?? 'by a signal'}`);
    environment.expect(
      count.published_unanswered === 0,
      `every committed change got a response; ${count.published_unanswered} did not`,
    );
    environment.expect(
      environment.load.counts.failed.size === 0,
      'no response was an error: ' + Array.from(environment.load.counts.failed.keys()).join(', '),
    );
    environment.expect(total(count, 'duplicates') === 0, 'no duplicates: workers finished their batches');
    return count;
  },
};
