export type { OutboxTransactions } from '../transactions.js';
export { Audited } from './audited.js';
export { NoTransactionError } from './no-transaction-error.js';
export { OutboxRecorder } from './outbox-recorder.js';
export {
  WaybillOutboxModule,
  type WaybillOutboxAsyncOptions,
  type WaybillOutboxOptions,
} from './waybill-outbox.module.js';
