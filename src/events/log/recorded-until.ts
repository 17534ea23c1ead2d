import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';

/** Most that the time of a committed event may be ahead of the database's clock, in milliseconds. */
const CLOCK_MARGIN_MS = 2_000;

/** Events that are looked at for the latest time: ids of several processes are not quite in the order of times. */
const NEWEST_EVENTS = 100;

/**
 * A time after those of the committed events of an account: now, or up to two seconds later. The time of an event is
 * that of an api process, whose clock may be ahead.
 */
export function recordedUntil(accountId: string): RawBuilder<Date> {
  return sql<Date>`greatest(now(), (
    select max(least(created_at + interval '1 millisecond', ${fromNow(CLOCK_MARGIN_MS)}))
    from (select created_at from events where account_id = ${accountId} order by id desc limit ${NEWEST_EVENTS}) newest
  ))`;
}
