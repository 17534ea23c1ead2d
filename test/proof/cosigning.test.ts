import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox, type Sandbox } from '@waybill/sandbox';
import { cosignaturesOf, openCheckpoint, parseCosigner, parseLogProof, parseVkey } from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyOptions } from '../../packages/verify/src/command/options.js';
import { run } from '../../packages/verify/src/command/run.js';
import { TestCosigner } from '../../packages/verify/src/testing.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

const dead = new TestCosigner('dead.example.com');
/** Cosigns, in a process of its own. */
let other: Sandbox;
let delivering: DeliveringApi;
let folder: string;
beforeAll(async () => {
  other = await startSandbox();
  const { port } = new URL((await startAndClose()).url);
  const cosigners = [`${dead.vkey}=http://127.0.0.1:${port}`, `${other.cosigner.vkey}=${other.url}/cosigner`];
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2', PROOF_COSIGNERS: cosigners.join(', ') }),
    mkdtemp(path.join(tmpdir(), 'waybill-cosigning-')),
  ]);
});
afterAll(async () => {
  await delivering.close();
  await other.close();
  await rm(folder, { recursive: true });
});

/** Returns a sandbox whose port is free again. */
async function startAndClose(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  await sandbox.close();
  return sandbox;
}

it('a checkpoint gets the cosignatures of those who answer, and a verifier may demand them', async () => {
  const { api, sandbox } = delivering;
  const { admin } = api;
  const destination = await delivering.destination();
  await delivering.publish(5);
  const log = `${destination.path}/log/1`;
  const received = () => sandbox.received({ target: 'data_stream', address: destination.arn }).map(({ body }) => body);
  const checkpoint = async (query = '') => (await admin.get(`${log}/checkpoint${query}`)).text;
  const vkeys = await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text();
  const keys = vkeys
    .trim()
    .split('\n')
    .map((vkey) => parseVkey(vkey));
  const sizeOf = (note: string) => openCheckpoint(note, keys).size;

  // The log is not known to the cosigner: the checkpoint is there without it.
  await delivering.sealed(destination, 5);
  expect((await admin.get(`${log}/checkpoint?cosigned=true`)).status).toBe(404);
  other.cosigner.trust(vkeys);
  await delivering.publish(5);
  await delivering.sealed(destination, 10, '?cosigned=true');
  const cosigner = parseCosigner(other.cosigner.vkey);
  const note = await checkpoint('?cosigned=true');
  expect(cosignaturesOf(note, [cosigner, parseCosigner(dead.vkey)]).map(({ key }) => key.name)).toEqual([
    cosigner.name,
  ]);
  expect(other.cosigner.sizes()).toMatchObject({ [openCheckpoint(note, keys).origin]: sizeOf(note) });

  const exported = path.join(folder, 'export.ndjson');
  await writeFile(exported, received().toSpliced(1, 1).join('\n'));
  const keyFile = path.join(folder, 'keys');
  await writeFile(keyFile, vkeys);
  const verify = async (...cosigners: readonly string[]) => {
    const where = `${admin.baseUrl}${log}/checkpoint?cosigned=true`;
    const demand = cosigners.flatMap((vkey) => ['--cosigner', vkey]);
    const options = verifyOptions([exported, '--checkpoint', where, '--key', keyFile, ...demand]);
    if (options === null) throw new Error('The options ask for the help.');
    return JSON.parse((await run({ ...options, json: true }, String(admin.token))).output);
  };
  // The tiles beside an address with a query are found.
  expect(await verify(other.cosigner.vkey)).toMatchObject({
    logs: [{ is_compared: true }],
    findings: [{ verdict: 'missing', sequence: 2, last_sequence: 2 }],
    cosignatures: [{ cosigner: cosigner.name, size: sizeOf(note) }],
  });
  expect(await verify(other.cosigner.vkey, dead.vkey)).toMatchObject({
    verified: false,
    findings: [{ verdict: 'not_cosigned' }],
  });

  const eventId = JSON.parse(received()[1] ?? '').event_id;
  const proof = parseLogProof((await admin.get(`/events/${eventId}/proof`)).text);
  expect(cosignaturesOf(proof.checkpoint, [cosigner])).toHaveLength(1);
  // A later checkpoint event has the cosigned checkpoint.
  await delivering.publish(1);
  const cosignedOf = (body: string): unknown => JSON.parse(body).object.cosigned;
  await until(() => received().some((body) => typeof cosignedOf(body) === 'string'), 'the target has it');
  const held = received()
    .map(cosignedOf)
    .findLast((text) => typeof text === 'string');
  expect(cosignaturesOf(String(held), [cosigner])).toHaveLength(1);
});
