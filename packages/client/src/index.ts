export { Waybill, type WaybillOptions } from './waybill.js';
export { List } from './list.js';
export {
  WaybillError,
  WaybillNetworkError,
  WaybillPublisherFullError,
  WaybillResponseError,
  WaybillTimeoutError,
  type InputError,
} from './errors.js';
export { EventPublisher, type PublisherOptions, type PublishResult } from './event-publisher.js';
export { isBuiltInEvent, type BuiltInEventType, type DeliveredEvent } from './built-in-events.js';
export { WaybillDeliveryError, WaybillDeliveryTimeoutError, type DeliveryWait } from './wait-for-delivery.js';
export type { ApiMethods, Input, OperationId, Output } from './api-methods.js';
export type { OperationAt, PathsOf } from './operation-at.js';
export type { ApiResponse, ConditionalOptions, RequestOptions } from './transport.js';
export type * from './generated/types.js';
