import { setContext, type EventContext } from './context.js';
import type { OutboxEvent } from './event.js';
import type { QueryRunner } from './query-runner.js';
import { recordChange, type RecordedTable, type RowId } from './record-change.js';
import { record } from './record.js';

/** The functions of `@waybill/outbox` for the transactions of a library. */
export interface BoundTo<Transaction> {
  /** As `record` of `@waybill/outbox`. */
  readonly record: (transaction: Transaction, events: OutboxEvent | readonly OutboxEvent[]) => Promise<void>;
  /** As `recordChange` of `@waybill/outbox`. */
  readonly recordChange: <Result>(
    transaction: Transaction,
    table: RecordedTable,
    id: RowId | ((result: Result) => RowId),
    work: () => PromiseLike<Result>,
  ) => Promise<Result>;
  /** As `setContext` of `@waybill/outbox`. */
  readonly setContext: (transaction: Transaction, context: EventContext) => Promise<void>;
}

/** Returns the functions for the transactions of a library. */
export function boundTo<Transaction>(runnerOf: (transaction: Transaction) => QueryRunner): BoundTo<Transaction> {
  return {
    record: (transaction, events) => record(runnerOf(transaction), events),
    recordChange: (transaction, table, id, work) => recordChange(runnerOf(transaction), table, id, work),
    setContext: (transaction, context) => setContext(runnerOf(transaction), context),
  };
}
