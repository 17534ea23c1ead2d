import { join } from 'node:path';
import { runningEmbeddedStore } from '../../../src/database/embedded-store.js';
import { runStatement } from '../environment/fault-postgres.js';
import { SmallDisk } from '../environment/small-disk.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** Room for an empty data folder (some 40 MB) and the growth of a scenario. */
const DISK_MEGABYTES = 256;

/**
 * Has the server begin new segments of its log, for which there is no room: it ends every session and recovers, or ends itself.
 * The loads of a scenario would need minutes to come that far.
 */
async function needNewSegments(connectionString: string): Promise<void> {
  for (let segment = 1; segment <= 8; segment += 1) {
    await runStatement(connectionString, 'select pg_switch_wal(), txid_current()').catch(() => {});
  }
}

/** What was answered after `before` was taken, by status. */
function since(
  before: ReadonlyMap<number, number>,
  now: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const more = Array.from(now, ([status, count]) => [status, count - (before.get(status) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

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
    const disk = await SmallDisk.mount(join(stage.folder, 'disk'), DISK_MEGABYTES);
    try {
      const dataDir = join(disk.folder, 'data');
      await crew.start('service', { settings: { DATABASE_URL: '', DATA_DIR: dataDir } });
      const connectionString = await runningEmbeddedStore(dataDir);
      if (connectionString === null) throw new Error(`No embedded Postgres answers for ${dataDir}.`);
      await stage.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
      const load = await stage.startLoad(stage.pick(60, 40));
      await stage.untilDelivering();
      await stage.pass(3);
      const before = new Map(load.tally.failed);
      const filled = await disk.fill();
      stage.say(`the disk is full: ${filled} MB of it are the filler`);
      await stage.pass(stage.pick(15, 8));
      await needNewSegments(connectionString);
      stage.say('Postgres has needed room for its log');
      await stage.pass(stage.pick(15, 8));
      const refused = since(before, load.tally.failed).get(503) ?? 0;
      stage.expect(refused > 0, `changes were answered 503 while the disk was full: ${load.summary}`);
      await disk.free();
      stage.say('there is room again');
      const accepted = load.tally.accepted.size;
      await stage.pass(stage.pick(20, 10));
      stage.expect(load.tally.accepted.size > accepted, 'changes are accepted again once there is room');
      stage.expect(crew.isRunning('service'), 'the service never ended');
      const count = await stage.prove();
      const others = Array.from(since(before, load.tally.failed).keys()).filter((status) => status !== 503);
      stage.expect(
        others.length === 0,
        `what was not accepted was answered 503 alone, not ${others.join(', ')}`,
      );
      const panics = await crew.logged('service', '"postgres":"PANIC');
      const endings = await crew.logged('service', 'ended by itself');
      stage.expect(panics.length > 0, 'Postgres had no room for its log');
      stage.note(
        `full with ${filled} MB; ${refused} changes answered 503 meanwhile; Postgres panicked ${panics.length} times and ended ${endings.length} times`,
      );
      return count;
    } finally {
      if (crew.isRunning('service')) await crew.stop('service');
      await disk.unmount();
    }
  },
};
