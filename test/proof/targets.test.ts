import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { vendorExport, type ReceivedEvent, type TargetKind } from '@waybill/sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyOptions } from '../../packages/verify/src/command/options.js';
import { run } from '../../packages/verify/src/command/run.js';
import { aggregate } from '../../src/targets/aws-kinesis/aggregate.js';
import { targetKinds } from '../../src/targets/target.js';
import { demoTargets } from '../../tools/harness/destinations.js';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

/** What targets that store members may change: numbers, times, null, empty members, names in an order, Unicode. */
const objects = [
  { id: 1, rate: 0.1, large: Number.MAX_SAFE_INTEGER, exact: 4503599627370495.5, tiny: 1e-7, negative: -0.5 },
  { at: '2026-11-21T10:00:00.120000+01:00', date: '2026-11-21', none: null, text: '', list: [], nested: {} },
  { z: [null, '', { b: 1, a: [[], {}] }], a: { 10: 'x', 9: 'y' }, 'a.b': 'dot', text: 'Öztürk 😀 \u2028 "\\" {"a":1}' },
  { json: '{"a": 1.0}', number: '1.0', bool: false },
];
const COUNT = objects.length;

interface Delivered {
  readonly path: string;
  readonly received: () => readonly ReceivedEvent[];
}

let delivering: DeliveringApi;
let folder: string;
let key: string;
const delivered = new Map<string, Delivered>();
beforeAll(async () => {
  [delivering, folder] = await Promise.all([
    DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
    mkdtemp(path.join(tmpdir(), 'waybill-targets-')),
  ]);
  const { admin } = delivering.api;
  const ids: string[] = [];
  const add = async (name: string, kind: TargetKind, settings: object, address?: string) => {
    const { id, path: of } = await admin.create('/event_destinations', {
      target: { [kind]: { ...demoTargets[kind], ...settings } },
    });
    ids.push(id);
    const filter = { target: kind, ...(address !== undefined && { address }) };
    delivered.set(name, { path: of, received: () => delivering.sandbox.received(filter) });
  };
  const stream = (name: string) => `arn:aws:kinesis:eu-central-1:123456789012:stream/${name}`;
  for (const kind of targetKinds) {
    if (kind === 'data_stream') {
      await add(kind, kind, { stream_arn: stream('plain') }, stream('plain'));
      await add('packed', kind, { stream_arn: stream('packed'), records: 'packed' }, stream('packed'));
    } else await add(kind, kind, kind === 'delivery_stream' ? { records: 'packed' } : {});
  }
  await admin.create('/resource_types', { name: 'order' });
  await admin.create('/event_subscriptions', { destination_ids: ids, sources: [{ type: 'order_updated.v0' }] });
  const occurred_at = new Date().toISOString();
  const events = objects.map((object, at) => ({
    type: 'order_updated.v0',
    // One with a time of its own: a table then has a column of text that is empty in the others.
    ...(at === 1 && { occurred_at }),
    resource_id: 'o1',
    object,
  }));
  const { status, text } = await admin.post('/events', { events });
  if (status !== 202) throw new Error(text);
  const isSealed = async ({ path: of, received: arrived }: Delivered) => {
    const size = Number((await admin.get(`${of}/log/1/checkpoint`)).text.split('\n')[1] ?? 0);
    return size >= COUNT && arrived().length === size + 1;
  };
  for (const one of delivered.values()) await until(() => isSealed(one), 'a checkpoint covers the events');
  key = await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text();
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

function received(name: string): readonly ReceivedEvent[] {
  return delivered.get(name)?.received() ?? [];
}

async function verified(name: string, content: Buffer | string) {
  const { admin } = delivering.api;
  const file = path.join(folder, 'export');
  await writeFile(file, content);
  const checkpoint = `${admin.baseUrl}${delivered.get(name)?.path}/log/1/checkpoint`;

  const options = verifyOptions([file, '--key', key.trim(), '--checkpoint', checkpoint]);
  if (options === null) throw new Error('The options ask for the help.');
  const { output, exitCode } = await run({ ...options, json: true }, String(admin.token));
  return { exitCode, ...JSON.parse(output) };
}

const clean = { exitCode: 0, verified: true, findings: [] };

it.each(['delivery_stream', 'data_stream', 'log_group', 'log_ingestion'] as const)(
  'what the vendor of a %s exports is verified, and one altered character is found',
  async (kind) => {
    const content = vendorExport(kind, received(kind));
    expect(await verified(kind, content)).toMatchObject(clean);
    const text = String(kind === 'delivery_stream' ? gunzipSync(content) : content);
    const altered =
      kind === 'data_stream'
        ? text.replace(/(?<="Data":")[^"]+/, (data) =>
            Buffer.from(Buffer.from(data, 'base64').toString().replace('0.1', '0.2')).toString('base64'),
          )
        : text.replace(/0\.1\b|1e-1/, (number) => number.replace('1', '2'));
    expect(altered).not.toBe(text);
    expect(await verified(kind, altered)).toMatchObject({
      exitCode: 1,
      counts: { altered: 1 },
      findings: [{ verdict: 'altered', sequence: 1 }],
    });
  },
);

it('records of Kinesis that hold several events are verified', async () => {
  const bodies = received('packed').map(({ body }) => Buffer.from(body));
  const record = JSON.stringify({ PartitionKey: 'o1', Data: Buffer.from(aggregate('o1', bodies)).toString('base64') });
  expect(await verified('packed', record)).toMatchObject(clean);
});

it('Datadog keeps a text as it is, and of attributes it drops what is null or an empty list', async () => {
  const events = received('monitoring');
  const texts = events.map(({ body }) => JSON.stringify({ id: 'A', attributes: { message: body } }));
  expect(await verified('monitoring', texts.join('\n'))).toMatchObject(clean);
  const attributes = await verified('monitoring', vendorExport('monitoring', events));
  expect(attributes).toMatchObject({
    exitCode: 1,
    counts: { altered: events.length - 1 },
    logs: [{ is_compared: true }],
  });
});
