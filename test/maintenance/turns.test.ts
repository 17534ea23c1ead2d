import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { createLogger } from '../../src/logging/logger.js';
import { Maintenance, type MaintenanceTask } from '../../src/maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../../src/maintenance/task-store.js';
import { until } from '../../tools/harness/until.js';
import { createTestStore } from '../support/database.js';

let store: Store;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store.close());

const LONG_MS = 600_000;

/** Counts how often processes have asked for a turn. */
class CountedTasks extends MaintenanceTaskStore {
  asked = 0;

  override async takeTurn(...asked: Parameters<MaintenanceTaskStore['takeTurn']>): Promise<boolean> {
    const hasTurn = await super.takeTurn(...asked);
    this.asked += 1;
    return hasTurn;
  }
}

/** Starts a process of the installation that runs a task. */
function startProcess(task: MaintenanceTask, tasks = new MaintenanceTaskStore(store.db)): Maintenance {
  const logger = createLogger('silent');
  const process = new Maintenance({ tasks: [task], store: tasks, logger, liveness: null, stopMs: LONG_MS });
  process.start();
  return process;
}

/** A task whose turns end when they are stopped, and the processes that are in one. */
function longTask(intervalMs: number) {
  const begun: string[] = [];
  const name = `task ${randomBytes(4).toString('hex')}`;
  const of = (process: string) => ({
    name,
    intervalMs,
    run: ({ stopped }: { readonly stopped: AbortSignal }) => {
      begun.push(process);
      return new Promise<void>((resolve) => {
        stopped.addEventListener('abort', () => resolve());
      });
    },
  });
  return { begun, of };
}

it('one process begins a turn in each interval, however many there are', async () => {
  const { begun, of } = longTask(LONG_MS);
  const tasks = new CountedTasks(store.db);
  const processes = Array.from({ length: 4 }, (_, index) => startProcess(of(`${index}`), tasks));
  await until(() => tasks.asked === 4, 'each process has asked for the turn');
  await Promise.all(processes.map((process) => process.stop()));
  expect(begun).toHaveLength(1);
});

it('no turn begins while its task has nothing to do', async () => {
  const { begun, of } = longTask(20);
  const table = `work_${randomBytes(4).toString('hex')}`;
  await store.pool.query(`create table ${table} (name text)`);
  const tasks = new CountedTasks(store.db);
  const process = startProcess(
    { ...of('one'), hasWork: sql<boolean>`exists (select from ${sql.table(table)})` },
    tasks,
  );
  await until(() => tasks.asked >= 3, 'the process has asked for turns');
  expect(begun).toEqual([]);
  await store.pool.query(`insert into ${table} values ('work')`);
  await until(() => begun.length === 1, 'the first turn');
  await process.stop();
});

it('a turn that is longer than its interval overlaps with those of other processes, and not with its own', async () => {
  const { begun, of } = longTask(20);
  const one = startProcess(of('one'));
  await until(() => begun.length === 1, 'the first turn');
  const other = startProcess(of('other'));
  await until(() => begun.length === 2, 'the second turn');
  // Both are in a turn, so neither begins the third one.
  const third = startProcess(of('third'));
  await until(() => begun.length === 3, 'a turn of a third process');
  expect(begun).toEqual(['one', 'other', 'third']);
  await Promise.all([one, other, third].map((process) => process.stop()));
});
