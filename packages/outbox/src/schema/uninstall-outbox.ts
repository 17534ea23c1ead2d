import type { PoolClient } from 'pg';

/** Tables with triggers of the outbox. A partition has clones of the triggers of its table. */
const AUDITED = `
select distinct t.tgrelid::regclass::text as name
from pg_trigger t join pg_proc p on p.oid = t.tgfoid
where p.pronamespace = 'waybill_outbox'::regnamespace and t.tgparentid = 0
order by 1`;

const WAITING = `
select (select count(*) from waybill_outbox.events)::int as waiting,
  (select count(*) from waybill_outbox.rejected)::int as rejected`;

/**
 * Drops the outbox with its triggers, in the transaction of the client.
 * @param dropEvents whether to drop events that are not published
 * @returns the tables whose changes were recorded by triggers
 * @throws Error while events wait or are rejected, unless `dropEvents` says so
 */
export async function uninstallOutbox(client: PoolClient, dropEvents: boolean): Promise<readonly string[]> {
  await client.query('lock table waybill_outbox.events, waybill_outbox.rejected in access exclusive mode');
  const { rows } = await client.query<{ waiting: number; rejected: number }>(WAITING);
  const { waiting = 0, rejected = 0 } = rows[0] ?? {};
  if (waiting + rejected > 0 && !dropEvents)
    throw new Error(
      `${waiting} events wait and ${rejected} are rejected. Let the relay publish them, or use --drop-events: they are never published.`,
    );
  const audited = await client.query<{ name: string }>(AUDITED);
  await client.query('drop schema waybill_outbox cascade');
  return audited.rows.map(({ name }) => name);
}
