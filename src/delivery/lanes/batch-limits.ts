import { sql, type RawBuilder } from 'kysely';
import { targetKinds, type BatchLimits, type TargetKind } from '../../targets/target.js';

/** The limits of one batch, for each kind of target. */
export type LimitsByKind = Readonly<Record<TargetKind, BatchLimits>>;

/**
 * Most deliveries in one batch, for every target: it bounds the memory of a batch, the size of its job, and the time
 * for which its serialization blocks the event loop.
 */
export const MAX_BATCH_RECORDS = 1_000;

/**
 * Most bytes of the payloads in one batch, for every target (Kinesis allows 5 MiB): it bounds the memory of a batch of
 * large events. A thousand events of the usual size, about 1 KB, fit. A target may count more for a payload, up to its
 * `expansion`: Datadog then gets a thousand events in a call instead of 600.
 */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** The table `limits` of a statement: the limits of one batch, for each kind of target. */
export function limitsTable(limits: LimitsByKind): RawBuilder<unknown> {
  const rows = targetKinds.map((kind) => {
    const { records, batchBytes, overheadBytes, expansion } = limits[kind];
    const most = Math.min(records, MAX_BATCH_RECORDS);
    const mostBytes = Math.min(batchBytes, MAX_BATCH_BYTES * expansion);
    return sql`(${kind}::text, ${most}::int, ${mostBytes}::float8, ${overheadBytes}::float8, ${expansion}::float8)`;
  });
  return sql`(values ${sql.join(rows)}) as limits (kind, records, batch_bytes, overhead, expansion)`;
}

/**
 * Most deliveries of a batch that a statement over several lanes handles. It bounds the rows of such a statement;
 * larger batches gain little from company.
 */
export const SMALL_BATCH = 20;
