import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openCheckpoint, parseLogProof, parseVkey } from '@waybill/verify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { verifyOptions } from '../../packages/verify/src/command/options.js';
import { run } from '../../packages/verify/src/command/run.js';
import { TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
let folder: string;
beforeAll(async () => {
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2', RATE_LIMIT_PER_MINUTE: '300' }),
    mkdtemp(path.join(tmpdir(), 'waybill-links-')),
  ]);
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

/** Makes a destination with a signed log, and a key of an auditor that makes a link to it. */
async function signedLog() {
  const { admin } = delivering.api;
  const destination = await delivering.destination();
  await delivering.publish(3);
  await delivering.sealed(destination, 3);
  const { body: me } = await admin.get('/session');
  const key = await admin.create('/api_keys', { owner_id: Object(me.principal).id, role: 'auditor' });
  const auditor = new TestClient(admin.baseUrl, String(key['token']));
  return { destination, key, auditor };
}

const reply = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text(), headers: response.headers };
};

it('a stranger verifies an export with a link, and reads nothing else', async () => {
  const { admin } = delivering.api;
  const { destination, key, auditor } = await signedLog();
  const other = await delivering.destination();
  const created = await auditor.post(`${destination.path}/log_links`, { expires_in_hours: 2 });
  expect(created.status, created.text).toBe(201);
  const { url, checkpoint_url: checkpoint, expires_at: ends } = created.body as Record<string, string>;
  expect(Math.abs(Date.parse(ends ?? '') - Date.now() - 7_200_000)).toBeLessThan(600_000);
  expect(checkpoint).toBe(`${url}${destination.path}/log/1/checkpoint`);

  const keys = path.join(folder, 'keys');
  await writeFile(keys, (await reply(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text);
  const events = delivering.sandbox
    .received({ target: 'data_stream', address: destination.arn })
    .map(({ body }) => body);
  const exported = path.join(folder, 'export.ndjson');
  // A part only: it is compared with the tiles beside the checkpoint.
  await writeFile(exported, events.slice(1).join('\n'));
  const options = verifyOptions([exported, '--checkpoint', String(checkpoint), '--key', keys, '--json']);
  if (options === null) throw new Error('The options ask for the help.');
  const { output } = await run(options, '');
  expect(JSON.parse(output)).toMatchObject({
    logs: [{ is_compared: true }],
    findings: [{ verdict: 'missing', sequence: 1, last_sequence: 1 }],
  });
  const { event_id: id } = JSON.parse(events[0] ?? '');
  const proof = await reply(`${url}/events/${id}/proof`);
  const trusted = [parseVkey((await reply(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text)];
  expect(openCheckpoint(parseLogProof(proof.text).checkpoint, trusted).origin).toContain(`/${destination.id}/1`);
  expect((await reply(`${url}${destination.path}/log/1/erasures`)).status).toBe(200);
  // Its requests count against a limit of its own.
  expect(proof.headers.get('ratelimit')).toMatch(/^"api-key";r=29\d/);

  const refused = [
    `${other.path}/log/1/checkpoint`,
    `${destination.path}/status`,
    destination.path,
    `/events/${id}`,
    '/events/none',
  ];
  for (const one of refused) expect((await reply(`${url}${one}`)).status, one).toBe(404);
  expect((await fetch(`${url}${destination.path}/log_links`, { method: 'POST' })).status).toBe(404);
  const token = String(url).slice(String(url).lastIndexOf('/') + 1);
  for (const forged of [token.slice(0, -2), `${token.slice(0, -2)}AA`, `other~${token.split('~')[1]}`, 'x', '~'])
    expect((await reply(`${admin.baseUrl}/links/${forged}${destination.path}/log/1/checkpoint`)).status).toBe(401);

  expect((await admin.delete(`/api_keys/${key.id}`)).status).toBe(204);
  expect((await reply(String(checkpoint))).status).toBe(401);
});

it('a link ends at its time', async () => {
  const { destination, auditor } = await signedLog();
  const { body } = await auditor.post(`${destination.path}/log_links`, {});
  const checkpoint = String(body.checkpoint_url);
  expect((await reply(checkpoint)).status).toBe(200);
  const end = Date.parse(String(body.expires_at));
  const now = vi.spyOn(Date, 'now').mockReturnValue(end - 1);
  expect((await reply(checkpoint)).status).toBe(200);
  now.mockReturnValue(end);
  expect((await reply(checkpoint)).status).toBe(401);
  now.mockRestore();
});

it('no link is made to a destination without a log, or for more than 90 days', async () => {
  const { admin } = delivering.api;
  expect((await admin.post('/event_destinations/ed_none/log_links', {})).status).toBe(404);
  const { destination } = await signedLog();
  expect((await admin.post(`${destination.path}/log_links`, { expires_in_hours: 2_161 })).status).toBe(400);
});
