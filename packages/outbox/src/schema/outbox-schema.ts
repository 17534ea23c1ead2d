import { CHANGE_TRIGGER } from './change-trigger.js';
import { eventCheck } from './event-check.js';
import { RECORD_FUNCTION } from './record-function.js';
import { ROW_CHANGE } from './row-change.js';
import { tables } from './tables.js';

/** Version of the schema that this package installs and needs. */
export const SCHEMA_VERSION = 1;

const setVersion = `
delete from waybill_outbox.schema_version;
insert into waybill_outbox.schema_version values (${SCHEMA_VERSION});
`;

/**
 * Returns the SQL that creates the outbox in the schema `waybill_outbox`, for those who run their own migrations. It
 * has several statements, changes nothing that exists with the same version, and needs Postgres 13 or later.
 */
export function outboxSchema(): string {
  return `${[tables, eventCheck, RECORD_FUNCTION, CHANGE_TRIGGER, ROW_CHANGE, setVersion].map((part) => part.trim()).join('\n\n')}\n`;
}
