import { readFile } from 'node:fs/promises';
import { installOutbox, triggerSql } from '@waybill/outbox';
import pg from 'pg';

const schemaFile = new URL('../../schema.sql', import.meta.url);
/** Key of the advisory lock: two deploys migrate one after the other. */
const LOCK = 4_800_001;

/** Creates the tables, the outbox, and the trigger that records every change of a payment. Repeatable. */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(await readFile(schemaFile, 'utf8'));
    await installOutbox(client);
    // Several statements in one query are one transaction.
    await client.query(triggerSql({ table: 'public.payments', type: 'payment', exclude: ['provider_token'] }));
  } finally {
    await client.end();
  }
}
