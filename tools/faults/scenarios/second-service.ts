import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.js';

/** Longest that a second service may take to say that it cannot start, in seconds. */
const REFUSAL_SECONDS = 60;

/**
 * A second service is started on the data folder of the first, whose Postgres is embedded: it must refuse, in words, and leave the
 * first alone. Then the first is killed, its Postgres left behind, and the second takes over.
 */
export const secondService: Scenario = {
  name: 'second-service',
  title: 'a second service on the same embedded data folder, then in place of the first',
  backends: ['postgres'],
  short: [],
  async run(stage) {
    const { crew } = stage;
    const settings = { DATABASE_URL: '', DATA_DIR: join(stage.folder, 'data') };
    await crew.start('service', { settings });
    await stage.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
    const load = await stage.startLoad(stage.pick(50, 30));
    await stage.untilDelivering();
    await crew.start('service-2', { settings, wait: false });
    const begun = performance.now();
    const code = await Promise.race([
      crew.exited('service-2'),
      sleep(REFUSAL_SECONDS * 1_000, 'none yet' as const, { ref: false }),
    ]);
    const seconds = (performance.now() - begun) / 1_000;
    stage.expect(code === 1, `the second ended with 1, not ${code ?? 'by a signal'}`);
    const [said] = await crew.logged('service-2', 'uses the data folder');
    const message = typeof said?.['msg'] === 'string' ? said['msg'] : '';
    stage.expect(
      message.includes('Another process (') && message.includes('DATA_DIR'),
      'the second said why, and what to do',
    );
    await stage.pass(stage.pick(10, 2));
    stage.expect(
      crew.isRunning('service') && load.tally.failed.size + load.tally.unanswered + load.tally.refused === 0,
      `the first answered everything: ${load.summary}`,
    );
    stage.note(`the second was refused after ${seconds.toFixed(1)} s`);
    await crew.kill('service');
    await crew.start('service-2', { settings });
    await stage.pass(stage.pick(5, 2));
    return stage.prove();
  },
};
