import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { tilePath, tilesOf } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyOptions } from '../../packages/verify/src/command/options.js';
import { run } from '../../packages/verify/src/command/run.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
let folder: string;
beforeAll(async () => {
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
    mkdtemp(path.join(tmpdir(), 'waybill-proof-')),
  ]);
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

/** Writes a file, and returns its path. */
async function file(name: string, text: string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, text);
  return at;
}

it('what a target has received is verified with the key and a checkpoint, until a character is altered', async () => {
  const { api, sandbox } = delivering;
  const { admin } = api;
  const destination = await delivering.destination();
  await delivering.publish(20);
  const log = `${destination.path}/log/1`;
  const size = async () => Number((await admin.get(`${log}/checkpoint`)).text.split('\n')[1] ?? 0);
  await until(async () => (await size()) >= 20, 'a checkpoint covers the events');
  const checkpoint = await file('checkpoint', (await admin.get(`${log}/checkpoint`)).text);
  const keys = await file('keys', await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text());
  const received = sandbox.received({ target: 'data_stream', address: destination.arn }).map(({ body }) => body);

  const verify = async (lines: readonly string[], ...proof: readonly string[]) => {
    const options = verifyOptions([await file('export.ndjson', lines.join('\n')), '--key', keys, ...proof]);
    if (options === null) throw new Error('The options ask for the help.');
    const { output, exitCode } = await run({ ...options, json: true }, String(admin.token));
    return { exitCode, ...JSON.parse(output) };
  };
  const tiles = ['--checkpoint', checkpoint, '--tiles', `${admin.baseUrl}${log}`];
  expect(await verify(received, '--checkpoint', checkpoint)).toMatchObject({
    exitCode: 0,
    verified: true,
    findings: [],
  });
  expect(await verify(received, '--checkpoint', `${admin.baseUrl}${log}/checkpoint`)).toMatchObject({
    logs: [{ log: expect.stringMatching(new RegExp(`/${destination.id}/1$`)), is_compared: true }],
  });

  const [third = ''] = received.slice(2, 3);
  // A character that each event has: the third one may be a checkpoint.
  const altered = received.with(2, third.replace('"event_timestamp":"2', '"event_timestamp":"3'));
  expect(await verify(altered, ...tiles)).toMatchObject({
    exitCode: 1,
    findings: [{ verdict: 'altered', sequence: 3, event_id: JSON.parse(third).event_id, line: 3 }],
  });
  expect(await verify(received.toSpliced(2, 1), ...tiles)).toMatchObject({
    exitCode: 1,
    findings: [{ verdict: 'missing', sequence: 3, last_sequence: 3 }],
  });

  const proof = await file('event.tlog-proof', (await admin.get(`/events/${JSON.parse(third).event_id}/proof`)).text);
  expect(await verify([third], '--proof', proof)).toMatchObject({ exitCode: 0, verified: true });
  expect(await verify(altered.slice(2, 3), '--proof', proof)).toMatchObject({ exitCode: 1, counts: { altered: 1 } });
});

/** The lines of docs/proof.md that fetch what an auditor needs. */
async function linesOfPage(): Promise<string> {
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/proof.md'), 'utf8');
  const [, lines] = /```sh\n(W=[^`]*)```/.exec(page) ?? [];
  if (lines === undefined) throw new Error('The page has no such lines.');
  return lines;
}

const bash = (script: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd, env: { ...process.env, ...env } });

it('the lines of docs/proof.md fetch what verifies an export offline, with the key of an auditor', async () => {
  const { api, sandbox } = delivering;
  const { admin } = api;
  const destination = await delivering.destination();
  await delivering.publish(5);
  const size = async () => Number((await admin.get(`${destination.path}/log/1/checkpoint`)).text.split('\n')[1] ?? 0);
  await until(async () => (await size()) >= 5, 'a checkpoint covers the events');
  const [first = '', ...others] = sandbox
    .received({ target: 'data_stream', address: destination.arn })
    .map(({ body }) => body);
  const { body: me } = await admin.get('/session');
  const key = await admin.create('/api_keys', { owner_id: Object(me.principal).id, role: 'auditor' });

  const own = path.join(folder, 'page');
  await mkdir(own);
  const lines = (await linesOfPage())
    .replace('https://waybill.example.com', admin.baseUrl)
    .replaceAll('ed_…', destination.id)
    .replaceAll('evt_…', JSON.parse(first).event_id);
  const { stdout } = await bash(lines, own, { KEY: String(key['token']) });
  expect(await (await fetch(JSON.parse(stdout).checkpoint_url)).text()).toContain(`/${destination.id}/1\n`);

  await writeFile(path.join(own, 'first'), first);
  await writeFile(path.join(own, 'others'), others.join('\n'));
  const verify = async (...args: readonly string[]) => {
    const given = args.map((arg) => (arg.startsWith('-') ? arg : path.join(own, arg)));
    const options = verifyOptions([...given, '--key', path.join(own, 'keys')]);
    if (options === null) throw new Error('The options ask for the help.');
    return JSON.parse((await run({ ...options, json: true }, '')).output);
  };
  expect(await verify('first', '--proof', 'proof')).toMatchObject({ verified: true });
  expect(await verify('others', '--checkpoint', 'checkpoint', '--erasures', 'erasures')).toMatchObject({
    logs: [{ is_compared: true }],
    counts: { missing: 1 },
  });
});

it('the lines of docs/proof.md name each tile of a large log', async () => {
  const own = path.join(folder, 'tiles');
  await mkdir(own);
  const size = 256_000 + 300;
  await writeFile(path.join(own, 'checkpoint'), `origin\n${size}\n`);
  const loop = (await linesOfPage()).split('\n\n').at(-1) ?? '';
  const { stdout } = await bash(`L=log\nget() { echo "$2 $3"; }\n${loop}`, own);
  const paths = tilesOf(size).map(tilePath);
  expect(stdout.trim().split('\n').toSorted()).toEqual(paths.map((one) => `${one} log/${one}`).toSorted());
  expect(paths).toContain('tile/0/x001/000');
});
