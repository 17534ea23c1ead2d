import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrate, migrations, MigrationError } from '../../src/database/migrate.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement, withDatabase } from '../support/test-postgres.js';

const logger = createLogger('silent');

describe('migrations', () => {
  let name: string;
  let url: string;
  beforeEach(async () => {
    name = `waybill_migrate_${randomBytes(6).toString('hex')}`;
    await runStatement(inject('postgresUrl'), `create database ${name}`);
    url = withDatabase(inject('postgresUrl'), name);
  });
  afterEach(() => runStatement(inject('postgresUrl'), `drop database ${name} with (force)`));

  async function names(text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: unknown }>(text);
    await client.end();
    return rows.map((row) => row.name);
  }

  test('migrate an empty database, and do nothing the second time', async () => {
    await migrate(url, logger);
    await migrate(url, logger);
    await expect(names('select name from kysely_migration order by name')).resolves.toEqual(Object.keys(migrations));
    await expect(names('select id as name from deliveries')).resolves.toEqual([]);
  });

  test('run once when many processes start at once', async () => {
    let runs = 0;
    const counted = {
      ...migrations,
      '9999_counted': {
        up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
          runs += 1;
          await sql`create table counted (name text)`.execute(db);
          await sql`select pg_sleep(0.2)`.execute(db);
        },
      },
    };
    await Promise.all(Array.from({ length: 8 }, () => migrate(url, logger, counted)));
    expect(runs).toBe(1);
  });

  test('refuse a database of a newer version, and name its migration', async () => {
    await migrate(url, logger, { ...migrations, '9999_from_the_future': { up: () => Promise.resolve() } });
    await expect(migrate(url, logger)).rejects.toThrow(
      new RegExp(`newer than this version.*9999_from_the_future.*ends at ${Object.keys(migrations).at(-1)}`),
    );
  });

  test('roll back a failed migration, and name it', async () => {
    const broken = {
      ...migrations,
      '9999_broken': {
        up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
          await sql`create table half_done (name text)`.execute(db);
          await sql`select 1 / 0`.execute(db);
        },
      },
    };
    const failing = migrate(url, logger, broken);
    await expect(failing).rejects.toThrow(MigrationError);
    await expect(failing).rejects.toThrow(/9999_broken.*division by zero/);
    await expect(names(`select relname as name from pg_class where relname = 'half_done'`)).resolves.toEqual([]);
    await migrate(url, logger);
  });
});
