import {
  commitmentOf,
  hashLeaf,
  leafData,
  openCheckpoint,
  parseLogProof,
  parseVkey,
  rootOf,
  rootOfInclusion,
  type NoteKey,
} from '@waybill/verify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { TestClient } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
beforeAll(async () => {
  delivering = await DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2', PROOF_LOG_NAME: 'audit.example.com' });
});
afterAll(() => delivering.close());

it('an auditor verifies one event with its proof and a key, and tiles have the checkpoint’s tree', async () => {
  const { api } = delivering;
  const destination = await delivering.destination();
  await delivering.publish(3);
  const log = `${destination.path}/log/1`;
  const anyone = new TestClient(api.admin.baseUrl, api.admin.token);
  await delivering.sealed(destination, 3);
  const keys = await verifierKeys();
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

  const [event] = arrivedAt(destination);
  await expectProven(event, destination.id, keys);
  const proofOf = (query: string) => anyone.get(`/events/${event?.event_id}/proof${query}`);
  expect((await proofOf('')).text).toBe((await proofOf(`?destination=${destination.id}`)).text);
  expect((await proofOf('?destination=ed_other')).status).toBe(404);
});

it('a projection has a proof of its own, and a redelivery repeats it', async () => {
  const { api } = delivering;
  const whole = await delivering.destination();
  const arn = 'arn:aws:kinesis:eu-central-1:123456789012:stream/projected';
  const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
  const target = { data_stream: { auth: { creds }, stream_arn: arn } };
  const projected = { ...(await api.admin.create('/event_destinations', { target })), arn };
  await api.admin.create('/event_subscriptions', {
    destination_ids: [projected.id],
    sources: [{ type: 'ip_policy_created.v0', fields: { exclude: ['/object/metadata'] } }],
  });
  await api.admin.create('/ip_policies', { metadata: 'hidden' });
  const keys = await verifierKeys();
  for (const destination of [whole, projected]) {
    const checkpoint = () => api.admin.get(`${destination.path}/log/1/checkpoint`);
    await until(async () => (await checkpoint()).status === 200, 'the log is signed');
    await expectProven(arrivedAt(destination)[0], destination.id, keys);
  }
  const [before] = arrivedAt(projected);
  expect(before?.object).not.toHaveProperty('metadata');
  expect(before?.integrity.salt).not.toBe(arrivedAt(whole)[0]?.integrity.salt);
  const redelivery = { event_ids: [before?.event_id] };
  const { status, text } = await api.admin.post(`${projected.path}/redeliveries`, redelivery);
  expect(status, text).toBe(202);
  const repeated = () => arrivedAt(projected).filter(({ event_id }) => event_id === before?.event_id);
  await until(() => repeated().length === 2, 'the event has arrived again');
  expect(repeated()).toEqual([before, before]);
  const counts = delivering.sandbox.receivedCounts().find(({ address }) => address === arn);
  expect(counts).toMatchObject({ repeats: 1 });
});

/** An event as it arrives. */
interface Arrived extends Readonly<Record<string, unknown>> {
  readonly event_id: string;
  readonly sequence: number;
  readonly integrity: { readonly index: number; readonly salt: string };
  readonly object: Readonly<Record<string, unknown>>;
}

function arrivedAt({ arn }: { readonly arn: string }): readonly Arrived[] {
  return delivering.sandbox.received({ target: 'data_stream', address: arn }).map(({ body }) => JSON.parse(body));
}

async function verifierKeys(): Promise<readonly NoteKey[]> {
  const response = await fetch(`${delivering.api.baseUrl}/.well-known/waybill-log-keys`);
  return (await response.text()).trim().split('\n').map(parseVkey);
}

/** Checks the proof of an event with nothing but a key, as an auditor does. */
async function expectProven(event: Arrived | undefined, id: string, keys: readonly NoteKey[]): Promise<void> {
  if (!event) throw new Error('No event has arrived.');
  const { epoch: _epoch, sequence, integrity, ...payload } = event;
  const { text } = await delivering.api.admin.get(`/events/${payload.event_id}/proof?destination=${id}`);
  const proof = parseLogProof(text);
  const commitment = commitmentOf(Buffer.from(integrity.salt, 'hex'), payload);
  const leaf = hashLeaf(leafData({ sequence, isBackfill: false, commitment }));
  const { origin, size, root } = openCheckpoint(proof.checkpoint, keys);
  expect(origin).toBe(`audit.example.com/${id}/1`);
  expect(proof.index).toBe(integrity.index);
  const proved = rootOfInclusion(leaf, proof.index, size, proof.hashes);
  expect(Buffer.from(proved ?? [])).toEqual(Buffer.from(root));
}
