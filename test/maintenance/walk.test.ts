import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import { Walk } from '../../src/maintenance/walk.js';
import { createTestStore } from '../support/database.js';

it('makes a step of each row, and rolls back and logs those that fail', async () => {
  const store = await createTestStore();
  onTestFinished(() => store.close());
  await store.pool.query('create table steps (id text)');
  const written = async () => (await store.pool.query<{ id: string }>('select id from steps')).rows.map(({ id }) => id);
  const lines: unknown[] = [];
  const [ended, failed]: [string[], string[]] = [[], []];
  const walk = new Walk({
    db: store.db,
    logger: createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    step: async (trx, id) => {
      if (id === 'locked') return null;
      await sql`insert into steps values (${id})`.execute(trx);
      if (id === 'broken') throw new Error('the step is broken');
      return () => void ended.push(id);
    },
    failure: { message: 'a step failed', field: 'row' },
    failed: async (id) => void failed.push(id),
  });
  let progress = 0;
  const control = { stopped: new AbortController().signal, progressed: () => void (progress += 1) };
  expect(await walk.round(['one', 'broken', 'locked', 'two'], control)).toBe(2);
  expect([await written(), ended, failed, progress]).toEqual([['one', 'two'], ['one', 'two'], ['broken'], 4]);
  expect(lines).toEqual([expect.objectContaining({ msg: 'a step failed', row: 'broken' })]);
  expect(await walk.round(['three'], { ...control, stopped: AbortSignal.abort() })).toBe(0);
  await expect(walk.step('broken')).rejects.toThrow('the step is broken');
});
