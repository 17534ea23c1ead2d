import { CHANGE_TRIGGER } from './change-trigger.js';
import { eventCheck } from './event-check.js';
import { POSITIONS } from './positions.js';
import { RECORD_FUNCTION } from './record-function.js';
import { ROW_CHANGE } from './row-change.js';
import { tables } from './tables.js';

/** What creates each version of the tables from the one before. Functions are always those of the newest version. */
const STEPS: readonly string[] = [tables];

/** Version of the schema that this package installs and needs. */
export const SCHEMA_VERSION = STEPS.length;

const FUNCTIONS = [POSITIONS, eventCheck, RECORD_FUNCTION, CHANGE_TRIGGER, ROW_CHANGE];

/** Any number that other applications are unlikely to use. */
const LOCK = 7_310_291_804_256_617n;

/**
 * Returns the SQL that creates the outbox in the schema `waybill_outbox`, or upgrades it, for those who run their own
 * migrations. It is one statement, hence one transaction, and changes nothing that is up to date. It adds what a dump
 * without data or privileges lacks. It needs Postgres 13 or later, and fails where a newer version of this package has
 * installed the outbox.
 */
export function outboxSchema(): string {
  return schemaStatement(STEPS, FUNCTIONS);
}

/**
 * Returns the statement that `outboxSchema` describes.
 * @param steps what creates each version from the one before
 * @param functions what is created again with each upgrade
 */
export function schemaStatement(steps: readonly string[], functions: readonly string[]): string {
  return `do $waybill_install$
declare
  installed integer;
begin
  if current_setting('server_version_num')::integer < 130000 then
    raise exception 'The outbox needs Postgres 13 or later, and this is Postgres %.', current_setting('server_version');
  end if;
  -- Several processes may install at once.
  perform pg_advisory_xact_lock(${LOCK});
  if to_regclass('waybill_outbox.schema_version') is not null then
    -- In a dump without data, the table is empty. So far, its version can only be 1.
    select coalesce(max(version), 1) into installed from waybill_outbox.schema_version;
  end if;
  if installed > ${steps.length} then
    raise exception using
      message = format('The outbox has version %s of its schema, and this package installs version ${steps.length}.', installed),
      hint = 'Update @waybill/outbox. A schema is never downgraded.';
  end if;
  if installed = ${steps.length} then
    -- A dump without data lacks the rows. One without privileges lets everyone execute each function.
    if exists (select from waybill_outbox.schema_version) and exists (select from waybill_outbox.relay)
        and not has_function_privilege('public', 'waybill_outbox.record_change()', 'execute') then
      return;
    end if;
  end if;

  create schema if not exists waybill_outbox;

${functions.map((part) => part.trim()).join('\n\n')}

${steps.map((step, index) => `if coalesce(installed, 0) < ${index + 1} then\n${step.trim()}\nend if;`).join('\n\n')}

  insert into waybill_outbox.relay default values on conflict do nothing;
  delete from waybill_outbox.schema_version;
  insert into waybill_outbox.schema_version values (${steps.length});
end
$waybill_install$;
`;
}
