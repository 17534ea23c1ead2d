import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate, migrations } from '../../../src/database/schema/migrate.js';
import type { SchemaMigration } from '../../../src/database/schema/migration.js';
import { toolLogger } from '../../harness/logger.js';
import type { Scenario } from '../scenario.js';

/** Limit until the process exits that refuses the schema. */
const REFUSAL_SECONDS = 600;

/** What a newer release does to tables under load: it adds a column, and builds an index. */
const newer: SchemaMigration = {
  additive: true,
  up: async (db) => {
    await sql`alter table events add column upgrade_note text`.execute(db);
  },
  indexes: [{ name: 'deliveries_upgrade', on: 'deliveries (destination_id, created_at)' }],
};

/**
 * A newer release migrates the database under load, and every process of this release restarts on the newer schema. A
 * schema that is not additive is refused.
 */
export const upgrade: Scenario = {
  name: 'upgrade',
  title: 'a newer schema under load, and back to this release',
  short: ['redis'],
  async run(environment) {
    const { connectionString, processes } = environment;
    await environment.begin(['data_stream', 'monitoring', 'log_ingestion'], environment.pick(60, 40));
    await environment.waitForDelivery();
    await environment.wait(environment.pick(20, 5));
    await migrate(connectionString, toolLogger, { ...migrations, '9998_newer': newer });
    const valid = await environment.query(
      `select from pg_index where indexrelid = 'deliveries_upgrade'::regclass and indisvalid`,
    );
    environment.expect(valid.length === 1, 'the index was built under load');
    await processes.start('api-2');
    await processes.start('worker-2');
    await processes.stop('api');
    await processes.stop('worker');
    await environment.waitForDelivery();
    await environment.query(
      `insert into schema_migrations (name, additive, finished_at) values ('9999_breaking', false, now())`,
    );
    await processes.start('api', { wait: false });
    const code = await Promise.race([
      processes.exited('api'),
      sleep(REFUSAL_SECONDS * 1_000, 'none yet' as const, { ref: false }),
    ]);
    environment.expect(code === 1, `a process exited with 1, not ${code ?? 'by a signal'}`);
    const reasons = await processes.logged('api', 'it holds the migration 9999_breaking');
    environment.expect(reasons.length > 0, 'the process logged which migration it does not know');
    await environment.wait(environment.pick(10, 2));
    const count = await environment.verify();
    const { failed } = environment.load.counts;
    environment.expect(failed.size === 0, 'no response was an error: ' + Array.from(failed.keys()).join(', '));
    return count;
  },
};
