import { expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { startTestApi } from '../support/test-api.js';

it('backfills, recoveries and snapshots are removed long after their end, also while none is under way', async () => {
  const api = await startTestApi();
  const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef' } };
  const { id } = await api.admin.create('/event_destinations', { target });
  const { pool } = api.store;
  const ended = `from resources, (values ('old', now() - interval '91 days'), ('recent', now())) as ended (name, at)
                 where id = $1`;
  await pool.query(
    `insert into backfills (id, account_id, destination_id, state, from_time, to_time, types, events_per_second,
                            dry_run, finished_at)
     select name, account_id, id, 'finished', at, at, '{}', 1, false, at ${ended}`,
    [id],
  );
  await pool.query(
    `insert into recoveries (id, account_id, state, states, from_time, to_time, principal_id, principal_subject,
                             finished_at)
     select name, account_id, 'finished', '{rejected}', at, at, 'usr_1', 'Ada', at ${ended}`,
    [id],
  );
  await pool.query(
    `insert into event_snapshots (id, account_id, subscription_id, kind, destination_ids, operation_id, base_url,
                                  finished_at)
     select name, account_id, id, 'ip_policy', '{}', 'op_1', '', at ${ended}`,
    [id],
  );
  const left = async () => {
    const { rows } = await pool.query<{ id: string }>(
      'select id from backfills union all select id from recoveries union all select id from event_snapshots',
    );
    return rows.map((row) => row.id);
  };
  expect(await left()).toHaveLength(6);
  await api.startWorker();
  await until(async () => (await left()).length === 3, 'the old ones are removed');
  expect(await left()).toEqual(['recent', 'recent', 'recent']);
  await api.close();
});
