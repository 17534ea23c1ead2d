import { runQuery, type QueryRunner } from '../query-runner.js';
import { outboxSchema } from './outbox-schema.js';

/**
 * Creates the outbox in the schema `waybill_outbox`, or upgrades it: runs the SQL of `outboxSchema`. It needs the right
 * to create a schema.
 * @throws the error of the database; also if a newer version of this package has installed the outbox
 */
export async function installOutbox(runner: QueryRunner): Promise<void> {
  await runQuery(runner, outboxSchema(), []);
}
