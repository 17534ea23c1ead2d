import {
  commitmentOf,
  hashLeaf,
  leafData,
  openCheckpoint,
  parseLogProof,
  parseVkey,
  rootOf,
  rootOfInclusion,
} from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../delivery/support/pipeline.js';
import { TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
beforeAll(async () => {
  delivering = await DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2', PROOF_LOG_NAME: 'audit.example.com' });
});
afterAll(() => delivering.close());

it('an auditor verifies one event with its proof and a key, and tiles have the checkpoint’s tree', async () => {
  const { api, sandbox } = delivering;
  const destination = await delivering.destination();
  await delivering.publish(3);
  const log = `${destination.path}/log/1`;
  const anyone = new TestClient(api.admin.baseUrl, api.admin.token);
  await until(async () => (await anyone.get(`${log}/checkpoint`)).status === 200, 'the log is signed');
  const keys = (await (await fetch(`${api.admin.baseUrl}/.well-known/waybill-log-keys`)).text())
    .trim()
    .split('\n')
    .map(parseVkey);
  const note = (await anyone.get(`${log}/checkpoint`)).text;
  const checkpoint = openCheckpoint(note, keys);
  expect(checkpoint.origin).toBe(`audit.example.com/${destination.id}/1`);
  const width = checkpoint.size;
  const response = await fetch(`${api.admin.baseUrl}${log}/tile/0/000.p/${width}`, {
    headers: { authorization: `Bearer ${anyone.token}`, 'service-version': '2' },
  });
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  const tile = Buffer.from(await response.arrayBuffer());
  expect(Buffer.from(rootOf(tile))).toEqual(Buffer.from(checkpoint.root));
  for (const path of ['0/000', `0/000.p/${width + 200}`, '0/0', '1/000.p/1', '0/001.p/1'])
    expect((await anyone.get(`${log}/tile/${path}`)).status, path).toBe(404);
  expect((await anyone.get(`${destination.path}/log/2/checkpoint`)).status).toBe(404);

  const [body = ''] = sandbox.received({ target: 'data_stream', address: destination.arn }).map((one) => one.body);
  const { epoch: _epoch, sequence, integrity, ...payload } = JSON.parse(body);
  const proofOf = (query: string) => anyone.get(`/events/${payload.event_id}/proof${query}`);
  const proof = parseLogProof((await proofOf(`?destination=${destination.id}`)).text);
  const commitment = commitmentOf(Buffer.from(integrity.salt, 'hex'), payload);
  const leaf = hashLeaf(leafData({ sequence, isBackfill: false, commitment }));
  const proved = openCheckpoint(proof.checkpoint, keys);
  expect(proof.index).toBe(integrity.index);
  expect(Buffer.from(rootOfInclusion(leaf, proof.index, proved.size, proof.hashes) ?? [])).toEqual(
    Buffer.from(proved.root),
  );
  expect((await proofOf('')).text).toBe((await proofOf(`?destination=${destination.id}`)).text);
  expect((await proofOf('?destination=ed_other')).status).toBe(404);
});
