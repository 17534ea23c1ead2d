import { runQuery, type QueryRunner } from '../query-runner.js';
import { SCHEMA_VERSION, outboxSchema } from './outbox-schema.js';

/** Any number that other applications are unlikely to use. */
const LOCK = 7_310_291_804_256_617n;

/**
 * Creates the outbox in the schema `waybill_outbox`, or upgrades it. Does nothing if it is up to date. It is one
 * statement, hence one transaction, and several processes may call it at once. It needs the right to create a schema.
 * @throws the error of the database; also if a newer version of this package has installed the outbox
 */
export async function installOutbox(runner: QueryRunner): Promise<void> {
  await runQuery(runner, installStatement(), []);
}

function installStatement(): string {
  return `
do $waybill_install$
declare
  installed integer;
begin
  if current_setting('server_version_num')::integer < 130000 then
    raise exception 'The outbox needs Postgres 13 or later, and this is Postgres %.', current_setting('server_version');
  end if;
  perform pg_advisory_xact_lock(${LOCK});
  if to_regclass('waybill_outbox.schema_version') is not null then
    execute 'select max(version) from waybill_outbox.schema_version' into installed;
  end if;
  if installed > ${SCHEMA_VERSION} then
    raise exception using
      message = format('The outbox has version %s of its schema, and this package knows version ${SCHEMA_VERSION}.', installed),
      hint = 'Update @waybill/outbox.';
  end if;
  if installed = ${SCHEMA_VERSION} then
    return;
  end if;

${outboxSchema()}
end
$waybill_install$`;
}
