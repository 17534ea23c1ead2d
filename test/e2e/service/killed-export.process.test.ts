import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@waybill/embedded-postgres';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { ExportManifest } from '../../../src/exports/export.js';
import { LEASE_MS } from '../../../src/exports/work/export-lease.js';
import { until } from '../../../tools/harness/until.js';
import { testSecretsKeys } from '../../support/secrets.js';
import { startTestApi, type TestApi } from '../../support/test-api.js';

/** Enough that the file takes a second or more: the worker is killed at its first bytes. */
const EVENTS = 20_000;

let api: TestApi;
const started: ChildProcess[] = [];
beforeAll(async () => {
  api = await startTestApi();
  await api.admin.create('/ip_policies', { description: 'template' });
  await api.store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                         commitment)
     select 'evt_01k' || lpad(n::text, 23, '0'), account_id, 'many.v0', 'many', payload, now(), 'usr_many', 'op_many', ''
     from (select account_id, payload from events order by id desc limit 1) template, generate_series(1, $1::int) n`,
    [EVENTS],
  );
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await api.close();
});

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['service/main.js'], {
    cwd: inject('compiledProject'),
    env: {
      PATH: process.env['PATH'],
      ROLES: 'worker',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATABASE_URL: api.store.connectionString,
      SECRETS_KEYS: testSecretsKeys,
      EXPORT_FOLDER: api.exportFolder,
      LOG_LEVEL: 'warn',
    },
    stdio: 'ignore',
  });
  started.push(child);
  return child;
}

/** Returns the size of the first file of an attempt, which is being written. */
async function sizeOfUnfinished(): Promise<number> {
  const name = (await readdir(api.exportFolder)).find((file) => file.endsWith('.part'));
  if (name === undefined) return 0;
  return stat(path.join(api.exportFolder, name)).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Lets the lease of the killed worker end, which it has left with the export for half a minute at most. */
async function endLease(id: string): Promise<void> {
  const { rows } = await api.store.pool.query<{ left: number }>(
    `update exports e set leased_until = now() from exports before where e.id = $1 and before.id = e.id
     returning extract(epoch from before.leased_until - now())::float8 as left`,
    [id],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.left).toBeGreaterThan(0);
  expect(rows[0]?.left).toBeLessThanOrEqual(LEASE_MS / 1_000);
}

it('an export whose worker is killed is written anew by the next one, whole', async () => {
  const killed = await startWorker();
  const { id, path: uri } = await api.admin.create('/exports', { format: 'csv', filter: { type: ['many.v0'] } });
  await until(async () => (await sizeOfUnfinished()) > 0, 'the file is being written');
  const ended = once(killed, 'exit');
  killed.kill('SIGKILL');
  await expect(ended).resolves.toEqual([null, 'SIGKILL']);
  expect((await api.admin.get(uri)).body.state).toBe('running');
  await endLease(id);
  await startWorker();
  const stateOf = async () => (await api.admin.get(uri)).body.state;
  await until(async () => (await stateOf()) !== 'running', 'the export has ended');
  const { body } = await api.admin.get(uri);
  expect(body).toMatchObject({ state: 'completed', progress: { events: EVENTS } });
  const { text } = await api.admin.get(`${uri}/download`);
  const { file } = body.manifest as ExportManifest;
  expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
  expect(text.trimEnd().split('\r\n')).toHaveLength(EVENTS + 1);
  expect(await readdir(api.exportFolder)).toEqual([`${id}.2.csv`]);
});
