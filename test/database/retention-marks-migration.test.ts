import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../../src/database/database.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { RetentionMarks } from '../../src/database/retention-marks.js';
import { createLogger } from '../../src/logging/logger.js';
import { runStatement } from '../../tools/bench/environment/database.js';
import { withDatabase } from '../support/test-postgres.js';

const logger = createLogger('silent');
const NAME = '0041_retention_marks';

let name: string;
let url: string;
let db: Database;

beforeEach(async () => {
  name = `waybill_marks_${randomBytes(6).toString('hex')}`;
  await runStatement(inject('postgresUrl'), `create database ${name}`);
  url = withDatabase(inject('postgresUrl'), name);
  await migrate(url, logger, Object.fromEntries(Object.entries(migrations).filter(([known]) => known < NAME)));
  ({ db } = openDatabase({ connectionString: url, poolSize: 2, applicationName: name, logger }));
});
afterEach(async () => {
  await db.destroy();
  await runStatement(inject('postgresUrl'), `drop database ${name} with (force)`);
});

it('begins with the upgrade for accounts of before, since earlier removals are unknown', async () => {
  await db.insertInto('accounts').values({ id: 'acct_1', name: 'before' }).execute();
  const begun = Date.now();
  await migrate(url, logger);
  const marks = await new RetentionMarks(db).of('acct_1');
  const times = [...marks.values()].map((since) => since.getTime());
  expect([...marks.keys()].toSorted()).toEqual(['attempts', 'deliveries', 'events', 'exports']);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(begun - 1);
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  await db.insertInto('accounts').values({ id: 'acct_2', name: 'after' }).execute();
  expect((await new RetentionMarks(db).of('acct_2')).size).toBe(0);
});

it('begins without marks in a new database', async () => {
  await migrate(url, logger);
  await db.insertInto('accounts').values({ id: 'acct_1', name: 'new' }).execute();
  expect((await new RetentionMarks(db).of('acct_1')).size).toBe(0);
});
