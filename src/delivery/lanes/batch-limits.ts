import { sql, type RawBuilder } from 'kysely';
import { targetKinds, type BatchLimits, type TargetKind } from '../../targets/target.js';

/** What each kind of target may be given in one batch. */
export type LimitsByKind = Readonly<Record<TargetKind, BatchLimits>>;

/**
 * Most deliveries in one batch, whatever the target would take: it bounds the memory of a batch, the size of its job and the
 * time that serializing it keeps the event loop.
 */
export const MAX_BATCH_RECORDS = 1_000;

/**
 * Most bytes in one batch, as the vendor counts them, whatever the target would take (Kinesis 5 MiB, Firehose 4): it bounds the
 * memory of a batch of large events. A thousand of the usual size, about 1 KB, fit.
 */
export const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** A table `limits` of what one batch may hold, for each kind of target: part of a statement. */
export function limitsTable(limits: LimitsByKind): RawBuilder<unknown> {
  const rows = targetKinds.map((kind) => {
    const { records, batchBytes, overheadBytes, expansion } = limits[kind];
    const most = Math.min(records, MAX_BATCH_RECORDS);
    const mostBytes = Math.min(batchBytes, MAX_BATCH_BYTES);
    return sql`(${kind}::text, ${most}::int, ${mostBytes}::float8, ${overheadBytes}::float8, ${expansion}::float8)`;
  });
  return sql`(values ${sql.join(rows)}) as limits (kind, records, batch_bytes, overhead, expansion)`;
}
