export { Audited, type AuditedDecorator, type AuditedOptions, type EventPart } from './audited.js';
export { OutboxRecorder } from './outbox-recorder.js';
export { NoTransactionError, type OutboxTransactions } from './outbox-transactions.js';
export {
  WaybillOutboxModule,
  type WaybillOutboxAsyncOptions,
  type WaybillOutboxOptions,
} from './waybill-outbox.module.js';
