import { join } from 'node:path';
import { runningEmbeddedStore } from '../../../src/database/embedded-store.js';
import { runStatement } from '../../harness/database.js';
import { SmallDisk } from '../environment/small-disk.js';
import type { Scenario } from '../scenario.js';

/** Space for an empty data folder (40 MB) and the growth of a scenario. */
const DISK_MEGABYTES = 256;

/**
 * Makes Postgres request new WAL segments, for which there is no space: it ends every session and recovers, or exits.
 * The load alone would need minutes for that.
 */
async function requestWalSegments(connectionString: string): Promise<void> {
  for (let segment = 1; segment <= 8; segment += 1) {
    await runStatement(connectionString, 'select pg_switch_wal(), txid_current()').catch(() => {});
  }
}

/** Counts the responses since `before`, by status. */
function since(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const more = Array.from(now, ([status, count]) => [status, count - (before.get(status) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

/**
 * Fills the disk of the embedded Postgres for a while. Changes get a 503, and Postgres may exit and fail to start until
 * there is space. All accepted changes must arrive.
 */
export const diskFull: Scenario = {
  name: 'disk-full',
  title: 'the disk of the embedded store is full for a while',
  async run(environment) {
    const { processes } = environment;
    const disk = await SmallDisk.mount(join(environment.folder, 'disk'), DISK_MEGABYTES);
    try {
      const dataDir = join(disk.folder, 'data');
      await processes.start('service', { settings: { DATABASE_URL: '', DATA_DIR: dataDir } });
      const connectionString = await runningEmbeddedStore(dataDir);
      if (connectionString === null) throw new Error(`No embedded Postgres runs in ${dataDir}.`);
      await environment.subscribe(['data_stream', 'monitoring', 'log_ingestion']);
      const load = await environment.startLoad(environment.pick(60, 40));
      await environment.waitForDelivery();
      await environment.wait(3);
      const before = new Map(load.counts.failed);
      const filled = await disk.fill();
      environment.log(`the disk is full after ${filled} MB`);
      await environment.wait(environment.pick(15, 8));
      await requestWalSegments(connectionString);
      environment.log('Postgres has requested new WAL segments');
      await environment.wait(environment.pick(15, 8));
      const refused = since(before, load.counts.failed).get(503) ?? 0;
      environment.expect(refused > 0, `changes were answered 503 while the disk was full: ${load.summary}`);
      await disk.free();
      environment.log('the disk has free space again');
      const accepted = load.counts.accepted.size;
      await environment.wait(environment.pick(20, 10));
      environment.expect(load.counts.accepted.size > accepted, 'changes are accepted again with free space');
      environment.expect(processes.isRunning('service'), 'the service kept running');
      const count = await environment.verify();
      const others = Array.from(since(before, load.counts.failed).keys()).filter((status) => status !== 503);
      environment.expect(others.length === 0, `every other change got a 503, not ${others.join(', ')}`);
      const panics = await processes.logged('service', '"postgres":"PANIC');
      const endings = await processes.logged('service', 'ended by itself');
      environment.expect(panics.length > 0, 'Postgres panicked without space for its WAL');
      environment.note(
        `full with ${filled} MB; ${refused} changes answered 503; Postgres panicked ${panics.length} times and exited ${endings.length} times`,
      );
      return count;
    } finally {
      if (processes.isRunning('service')) await processes.stop('service');
      await disk.unmount();
    }
  },
};
