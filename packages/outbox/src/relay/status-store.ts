import type { RelayDatabase } from './relay-database.js';
import { assertSchemaVersion } from './schema-version.js';

/** The open transaction for which committed events wait. */
export interface WaitingFor {
  /** Process id at the database; null for a prepared transaction. */
  readonly pid: number | null;
  /** Name of a prepared transaction; null for others. */
  readonly prepared: string | null;
  readonly applicationName: string | null;
  /** Age of the transaction in milliseconds. Null if the user of the relay may not see it. */
  readonly ageMs: number | null;
}

/** Rejected events of one type with one error. */
export interface RejectedType {
  readonly type: string;
  readonly errorCode: string | null;
  readonly count: number;
  /** Of one of them. */
  readonly reason: string;
}

/** State of an outbox, whichever process publishes. */
export interface RelayStatus {
  /** Events that wait, without the held ones. Counted up to 10,000. */
  readonly waiting: number;
  /** Events that wait for a rejected event of their resource. Counted up to 10,000. */
  readonly held: number;
  /** Events that Waybill has refused and that are not retried or discarded. Counted up to 10,000. */
  readonly rejected: number;
  /** The types of these events, most events first, at most 20: types that do not exist or do not fit at Waybill. */
  readonly rejectedTypes: readonly RejectedType[];
  /** When the first waiting event was recorded; null for none. */
  readonly oldestRecordedAt: Date | null;
  /** Number of events published since the installation. */
  readonly published: number;
  readonly lastPublishedAt: Date | null;
  /** Why the last request failed; null after a success. */
  readonly lastError: string | null;
  /** The relay that publishes; null for none. */
  readonly holder: string | null;
  /** The transaction for which the first waiting event waits; null for none. */
  readonly waitingFor: WaitingFor | null;
}

/** Most rows that are counted. */
export const MOST_COUNTED = 10_000;

const counted = (from: string) => `(select count(*)::int from (select from ${from} limit ${MOST_COUNTED}) as c)`;

const STATUS = `
select
  ${counted('waybill_outbox.events where not held')} as waiting,
  ${counted('waybill_outbox.events where held')} as held,
  ${counted('waybill_outbox.rejected')} as rejected,
  first.recorded_at as "oldestRecordedAt",
  coalesce(first.position > waybill_outbox.settled_position() and first.position <= waybill_outbox.last_position(), false)
    as unsettled,
  r.published::float8 as published, r.last_published_at as "lastPublishedAt", r.last_error as "lastError",
  case when r.expires_at > clock_timestamp() then r.holder end as holder
from waybill_outbox.relay r
left join lateral (
  select recorded_at, position from waybill_outbox.events where not held order by position limit 1
) as first on true`;

const REJECTED_TYPES = `
select type, error_code as "errorCode", count(*)::int as count, min(reason) as reason
from (select type, error_code, reason from waybill_outbox.rejected limit ${MOST_COUNTED}) as r
group by type, error_code
order by count desc, type, error_code
limit 20`;

/** The open transaction that has recorded first. A prepared one is found by the lock on its own id. */
const OLDEST_TRANSACTION = `
select t.pid, p.gid as prepared, a.application_name as "applicationName",
  round(extract(epoch from clock_timestamp() - coalesce(a.xact_start, p.prepared)) * 1000)::float8 as "ageMs"
from waybill_outbox.recording_transactions() t
left join pg_stat_activity a on a.pid = t.pid
left join pg_locks x on t.pid is null and x.pid is null and x.locktype = 'transactionid' and x.mode = 'ExclusiveLock'
  and x.virtualtransaction = t.virtualtransaction
left join pg_prepared_xacts p on p.transaction = x.transactionid
order by t.above, p.gid, "ageMs" desc nulls last
limit 1`;

type StatusRow = Omit<RelayStatus, 'rejectedTypes' | 'waitingFor'> & { readonly unsettled: boolean };

/** Reads the state of the outbox. */
export class StatusStore {
  constructor(private readonly database: RelayDatabase) {}

  /** @throws Error if the outbox has another version than this package needs */
  async status(): Promise<RelayStatus> {
    await assertSchemaVersion(this.database);
    const [row] = await this.database.query<StatusRow>(STATUS);
    if (!row) throw new Error('The table waybill_outbox.relay is empty: run "npx @waybill/outbox install".');
    const { waiting, held, rejected, unsettled, ...others } = row;
    const rejectedTypes = rejected > 0 ? await this.rejectedTypes() : [];
    const waitingFor = unsettled ? await this.waitingFor() : null;
    return { waiting, held, rejected, rejectedTypes, ...others, waitingFor };
  }

  /** Returns the types of the rejected events, most events first. */
  rejectedTypes(): Promise<readonly RejectedType[]> {
    return this.database.query<RejectedType>(REJECTED_TYPES);
  }

  /** Returns the open transaction that has recorded first; null for none, or if it has just ended. */
  async waitingFor(): Promise<WaitingFor | null> {
    const [row] = await this.database.query<WaitingFor>(OLDEST_TRANSACTION);
    return row ?? null;
  }
}
