import { join } from 'node:path';
import { SmallDisk } from '../ground/small-disk.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** Room for an empty data folder (some 40 MB) and the growth of a scenario. */
const diskMegabytes = 256;

/**
 * The disk of the embedded store is full for a while: changes are refused, with an answer, and Postgres may end and be started
 * again, in vain until there is room. What was accepted before, during and after must arrive.
 */
export const diskFull: Scenario = {
  name: 'disk-full',
  title: 'the disk of the embedded store is full for a while',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew } = stage;
    const disk = await SmallDisk.mount(join(stage.folder, 'disk'), diskMegabytes);
    try {
      await crew.start('service', {
        settings: { DATABASE_URL: '', DATA_DIR: join(disk.folder, 'data') },
      });
      await stage.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
      const load = await stage.startLoad(stage.pick(60, 40));
      await stage.untilDelivering();
      await stage.pass(3);
      const filled = await disk.fill();
      stage.say(`the disk is full: ${filled} MB of it are the filler`);
      await stage.pass(stage.pick(30, 15));
      const failures = Array.from(load.tally.failed.values()).reduce((sum, count) => sum + count, 0);
      const endings = await crew.logged('service', 'ended by itself');
      stage.expect(failures > 0, `changes were refused while the disk was full: ${load.summary}`);
      await disk.free();
      stage.say('there is room again');
      const accepted = load.tally.accepted.size;
      await stage.pass(stage.pick(20, 10));
      stage.expect(load.tally.accepted.size > accepted, 'changes are accepted again once there is room');
      stage.expect(crew.isRunning('service'), 'the service never ended');
      const count = await stage.prove();
      stage.note(
        `full with ${filled} MB; ${failures} changes refused; Postgres ended ${endings.length} times`,
      );
      return count;
    } finally {
      if (crew.isRunning('service')) await crew.stop('service');
      await disk.unmount();
    }
  },
};
