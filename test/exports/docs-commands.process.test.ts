import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_PAGE_SIZE } from '../../src/http/response/pagination.js';
import { DeliveringApi } from '../support/delivering-api.js';

const page = await readFile(path.resolve(import.meta.dirname, '../../docs/exports.md'), 'utf8');
const commands = [...page.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, text = '']) => text);
const run = promisify(execFile);

let delivering: DeliveringApi;
let folder: string;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-commands-'));
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

/** Changes of one resource: more than a page of `GET /events` has. */
const CHANGES = MAX_PAGE_SIZE + 1;

it('the commands of docs/exports.md answer the questions of an audit', async () => {
  const { api } = delivering;
  const from = new Date(Date.now() - 60_000).toISOString();
  const destination = await delivering.destination();
  await delivering.publish(3);
  const [policy] = (await api.admin.get('/ip_policies')).body.ip_policies as { id: string }[];
  for (let change = 1; change <= CHANGES; change += 1)
    await api.admin.patch(`/ip_policies/${policy?.id}`, { description: `changed for the audit: ${change}` });
  const rule = { ip_policy_id: policy?.id, cidr: '192.0.2.0/24', action: 'deny' };
  await api.admin.patch((await api.admin.create('/ip_policy_rules', rule)).path, { cidr: '198.51.100.0/24' });
  const delivered = await delivering.ended(destination.path, 'delivered', 3);
  // What the SIEM has: all but the newest, one of them with another content.
  const [lost] = delivered;
  const [changed = '', ...stored] = delivering.arrivals(destination.arn).slice(0, -1);
  const wrong = changed.replace('"version":1', '"version":2');
  await writeFile(path.join(folder, 'siem.ndjson'), [...stored, wrong].map((line) => `${line}\n`).join(''));
  const { token } = await api.admin.create('/api_keys', { role: 'auditor' });
  const script = `set -euo pipefail\n${commands.map((text) => `${text}\necho '---'\n`).join('')}`;
  const { stdout } = await run('bash', ['-c', script], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      WAYBILL_URL: api.baseUrl,
      WAYBILL_API_KEY: String(token),
      RESOURCE: policy?.id,
      DESTINATION: destination.id,
      FROM: from,
      TO: new Date(Date.now() + 60_000).toISOString(),
    },
  });
  const outputs = stdout.split('---\n').map((text) => text.trim());
  expect(outputs).toHaveLength(commands.length + 1);
  const [, whoChanged, , file, proof, missing, different] = outputs;
  const descriptions = whoChanged?.split('\n').map((line) => /changed for the audit: (\d+)/.exec(line)?.[1]);
  const numbers = Array.from({ length: CHANGES }, (_, index) => `${index + 1}`);
  // The first one is the creation.
  expect(descriptions).toEqual([undefined, ...numbers]);
  expect(file?.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
    ['1', 'ip_policy_created.v0', 'delivered'],
    ['2', 'ip_policy_created.v0', 'delivered'],
    ['3', 'ip_policy_created.v0', 'delivered'],
  ]);
  expect(proof).toMatch(/^exp_\w+\.ndjson: OK$/m);
  expect(missing).toBe(lost?.event_id);
  const differing = different?.split('\n').map((line) => JSON.parse(line) as { event_id: string; version: number });
  const { event_id: changedId } = JSON.parse(changed) as { event_id: string };
  expect(differing?.map(({ event_id, version }) => [event_id, version])).toEqual([[changedId, 2]]);
  const table = await readFile(path.join(folder, 'events.csv'), 'utf8');
  expect(table).toContain('changed for the audit');
  const rules = await readFile(path.join(folder, 'rules.csv'), 'utf8');
  expect(rules).toMatch(/^"[^"]+Z","[^"]+","192\.0\.2\.0\/24","198\.51\.100\.0\/24","deny"\n$/);
});
