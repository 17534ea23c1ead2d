export type { EventPrincipal, EventRequest, JsonMembers, OutboxEvent } from './event.js';
export { eventsAsJson } from './event-body.js';
export { InvalidEventError } from './invalid-event-error.js';
export type { QueryRunner } from './query-runner.js';
export { record } from './record.js';
export { installOutbox } from './schema/install-outbox.js';
export { outboxSchema } from './schema/outbox-schema.js';
