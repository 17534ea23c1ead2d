import { SCHEMA_VERSION } from '../schema/outbox-schema.js';
import type { RelayDatabase } from './relay-database.js';

/** Throws an error for the operator if the outbox has another version than this package needs, or lacks its rows. */
export async function assertSchemaVersion(database: RelayDatabase): Promise<void> {
  const [row] = await database.query<{ version: number | null }>(
    'select max(version) as version from waybill_outbox.schema_version where exists (select from waybill_outbox.relay)',
  );
  const installed = row?.version ?? 0;
  if (installed === SCHEMA_VERSION) return;
  const found = `The outbox has version ${installed} of its schema, and this version of @waybill/outbox needs version ${SCHEMA_VERSION}`;
  throw new Error(
    installed < SCHEMA_VERSION
      ? `${found}: run "npx @waybill/outbox install", or outboxSchema() in a migration.`
      : `${found}: update @waybill/outbox.`,
  );
}
