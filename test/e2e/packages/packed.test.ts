import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestStore } from '../../support/database.js';
import { startTestApi, type TestApi } from '../../support/test-api.js';
import { dependenciesOf, installedWithDependencies } from './installed-packages.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const published = ['client', 'outbox'] as const;

let folder: string;
let project: string;
let api: TestApi;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-packed-'));
  project = path.join(folder, 'project');
  await mkdir(project);
  api = await startTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Builds the packages in a copy of the workspace, and packs them. Returns the tarballs. */
async function pack(): Promise<readonly string[]> {
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  for (const file of ['tsconfig.json', 'tools/esm-entries.mjs'])
    await cp(path.join(root, file), path.join(workspace, file));
  await symlink(path.join(root, 'node_modules'), path.join(workspace, 'node_modules'));
  const tarballs: string[] = [];
  for (const name of published) {
    const copy = path.join(workspace, 'packages', name);
    await cp(path.join(root, 'packages', name), copy, {
      recursive: true,
      filter: (source) => !['dist', 'node_modules'].includes(path.basename(source)),
    });
    await npm(copy, 'run', 'build');
    const { stdout } = await npm(copy, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
    const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
    expect(packed?.files.filter(({ path: file }) => file.endsWith('.test.ts'))).toEqual([]);
    if (name === 'outbox') expect(packed?.files.map((file) => file.path)).toContain('dist/outbox.sql');
    tarballs.push(path.join(folder, packed?.filename ?? ''));
  }
  return tarballs;
}

function npm(cwd: string, ...parameters: readonly string[]) {
  return run('npm', ['--no-update-notifier', ...parameters], { cwd, maxBuffer: 2 ** 24 });
}

/** Installs tarballs into the empty project. Other packages come from this installation: nothing is downloaded. */
async function install(tarballs: readonly string[]): Promise<void> {
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const needed = await Promise.all(published.map((name) => dependenciesOf(path.join(root, 'packages', name))));
  const names = [...needed.flat(), '@types/node', '@types/pg'];
  const others = await installedWithDependencies(root, names);
  const flags = ['--install-links', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(project, 'install', ...flags, ...tarballs, ...others);
}

const settings = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'ES2023',
    module: 'nodenext',
    types: ['node'],
  },
};

const PROGRAM = `import { Waybill, WaybillError, type IpPolicy } from '@waybill/client';
import { installOutbox, record, startRelay } from '@waybill/outbox';
import { Pool } from 'pg';

const { WAYBILL_URL: url = '', WAYBILL_API_KEY: key = '', DATABASE_URL: connectionString = '' } = process.env;
const waybill = new Waybill({ url, key });

const policy: IpPolicy = await waybill.ipPolicies.create({ description: 'packed' });
const ids: string[] = [];
for await (const { id } of waybill.ipPolicies.list({ limit: 1 })) ids.push(id);
const refusal = await waybill.botUsers.create({ name: '' }).catch((error: unknown) => error);
const code = refusal instanceof WaybillError ? refusal.errorCode : null;

await waybill.resourceTypes.create({ name: 'order' });
const pool = new Pool({ connectionString });
await installOutbox(pool);
const client = await pool.connect();
await client.query('begin');
await record(client, { type: 'order_created.v0', resourceId: 'order-1042', object: { total: 1200 } });
await client.query('commit');
client.release();
const relay = startRelay({ pool, url, key });
await relay.drained();
await relay.stop();
await pool.end();
const { events } = await waybill.events.list({ type: ['order_created.v0'] }).page();

console.log(JSON.stringify({ found: ids.includes(policy.id), code, published: events.map((event) => event.resource_id) }));
`;

it('the packed packages compile and work in an empty project', { timeout: 600_000 }, async () => {
  await install(await pack());
  await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify(settings));
  await writeFile(path.join(project, 'main.ts'), PROGRAM);
  const compiled = await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], { cwd: project })
    // The errors are in the output.
    .catch((error: unknown) => error as { stdout: string });
  expect(compiled.stdout).toBe('');

  const store = await createTestStore();
  try {
    const env = {
      ...process.env,
      WAYBILL_URL: api.baseUrl,
      WAYBILL_API_KEY: api.admin.token ?? '',
      DATABASE_URL: store.connectionString,
    };
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual({ found: true, code: 'invalid_input', published: ['order-1042'] });
    const { stdout: help } = await npm(project, 'exec', '--offline', '--', '@waybill/outbox', '--help');
    expect(help).toContain('relay');
  } finally {
    await store.close();
  }
});
