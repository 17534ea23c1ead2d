import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.js';

/** Limit until the second service exits. */
const REFUSAL_SECONDS = 60;

/**
 * Starts a second service on the data folder of the first, which runs an embedded Postgres. The second must exit with a
 * clear message and leave the first alone. Then kills the first, and the second takes over its Postgres.
 */
export const secondService: Scenario = {
  name: 'second-service',
  title: 'a second service on the same embedded data folder, then in target of the first',
  backends: ['postgres'],
  async run(environment) {
    const { processes } = environment;
    const settings = { DATABASE_URL: '', DATA_DIR: join(environment.folder, 'data') };
    await processes.start('service', { settings });
    await environment.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    const load = await environment.startLoad(environment.pick(50, 30));
    await environment.waitForDelivery();
    await processes.start('service-2', { settings, wait: false });
    const begun = performance.now();
    const code = await Promise.race([
      processes.exited('service-2'),
      sleep(REFUSAL_SECONDS * 1_000, 'none yet' as const, { ref: false }),
    ]);
    const seconds = (performance.now() - begun) / 1_000;
    environment.expect(code === 1, `the second exited with 1, not ${code ?? 'by a signal'}`);
    const [line] = await processes.logged('service-2', 'uses the data folder');
    const reason = JSON.stringify(line?.['err']) ?? '';
    environment.expect(
      reason.includes('Another process (') && reason.includes('DATA_DIR'),
      'the second logged the reason and what to do',
    );
    await environment.wait(environment.pick(10, 2));
    environment.expect(
      processes.isRunning('service') && load.counts.failed.size + load.counts.unanswered + load.counts.refused === 0,
      `the first responded to every request: ${load.summary}`,
    );
    environment.note(`the second exited after ${seconds.toFixed(1)} s`);
    await processes.kill('service');
    await processes.start('service-2', { settings });
    await environment.wait(environment.pick(5, 2));
    return environment.verify();
  },
};
