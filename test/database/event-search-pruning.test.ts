import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import { idBound } from '../../src/ids/id-time.js';
import { createTestStore } from '../support/database.js';

const EVENTS = 3_000;
const SCANNED = 1_000;
/** The oldest events, which retention removes while a search runs. */
const PRUNED = 500;

let store: Store;
beforeEach(async () => {
  store = await createTestStore();
  await store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                         changed_fields, commitment)
     select $1 || lpad(n::text, 16, '0'), 'acc_1', 'note_updated.v0', 'note_1', '{}', now(), 'usr_1', 'op_1',
            array['field_' || n], ''
     from generate_series(1, $2::int) n`,
    [idBound('evt', new Date()), EVENTS],
  );
});
afterEach(() => store.close());

/** A database in which retention removes the oldest events once, after the first statement. */
function prunedOnce() {
  let isPruned = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isPruned) {
        isPruned = true;
        await store.pool.query(`delete from events where id in (select id from events order by id limit ${PRUNED})`);
      }
      return result;
    },
  };
  return store.db.withPlugin(plugin);
}

it('a search skips no event when retention removes others between its statements', async () => {
  const search = new EventSearchStore(prunedOnce(), SCANNED);
  // Behind the events of the first page, and nearer to them than the removed ones are many.
  const filter = { changed: `field_${SCANNED + PRUNED / 2}` };
  const found: string[] = [];
  let pages = 0;
  for (let afterId: string | undefined; ;) {
    const range = { order: 'oldest_first', after_id: afterId } as const;
    const { ids, resumeAt } = await search.ids('acc_1', filter, range, 100);
    found.push(...ids);
    pages += 1;
    if (resumeAt === null) break;
    afterId = resumeAt;
  }
  expect(found).toHaveLength(1);
  expect(pages).toBeGreaterThan(1);
  const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from events');
  expect(rows).toEqual([{ count: EVENTS - PRUNED }]);
});
