import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compareContent,
  type DestinationExports,
  ExportedEvents,
  reconcile,
  type Reconciliation,
} from '@waybill/reconcile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand, reconcileOptions } from '../../packages/reconcile/src/options.js';
import { run, type Outcome } from '../../packages/reconcile/src/run.js';
import { WaybillApi } from '../../packages/reconcile/src/waybill-api.js';
import { markRetention } from '../../src/database/partitions/retention-marks.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

const COUNT = 5;

let environment: DeliveringApi;
let folder: string;
/** The key of an auditor, which is enough. */
let auditorKey: string;
let destinationId: string;
let events: readonly JsonObject[];
beforeAll(async () => {
  environment = await DeliveringApi.start();
  folder = await mkdtemp(join(tmpdir(), 'waybill-content-'));
  const { api } = environment;
  auditorKey = String((await api.admin.create('/api_keys', { role: 'auditor' })).token);
  const { id, path, arn } = await environment.destination();
  destinationId = id;
  for (let n = 0; n < COUNT; n += 1) await api.admin.create('/ip_policies', { description: `"Büro" ${n}` });
  await environment.ended(path, 'delivered', COUNT);
  events = environment.arrivals(arn).map((body) => JSON.parse(body) as JsonObject);
});
afterAll(async () => {
  await environment.close();
  await rm(folder, { recursive: true });
});

/** Returns the events of a file without number 2, and with another description in number 4. */
function tampered(): readonly JsonObject[] {
  return events
    .filter(({ sequence }) => sequence !== 2)
    .map((event) =>
      event.sequence === 4 ? { ...event, object: { ...(event.object as JsonObject), description: 'Lager' } } : event,
    );
}

async function fileOf(name: string, lines: readonly JsonObject[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** Runs the command. */
function reconciled(...args: readonly string[]): Promise<Outcome> {
  const all = ['--destination', destinationId, '--url', environment.api.baseUrl, ...args];
  return run(reconcileOptions(reconcileCommand().parse(all, { from: 'user' }), auditorKey), process.stderr);
}

const parsed = ({ output }: Outcome) => JSON.parse(output) as Reconciliation;

describe('the reconciliation of contents', () => {
  it('says that nothing was altered, also where the target has serialized the events anew', async () => {
    const reversed = events.map((event) => Object.fromEntries(Object.entries(event).toReversed()) as JsonObject);
    const outcome = await reconciled(await fileOf('whole.ndjson', reversed));
    expect(outcome.exitCode).toBe(0);
    expect(outcome.output).toContain(
      `Compared: sequences, ids and content of ${COUNT} events, with Waybill's export exp_`,
    );
    expect(outcome.output).toContain('Every event arrived. Nothing was lost. Nothing was altered.');
  });

  it('finds an altered and a missing event, and names the member with both values', async () => {
    const file = await fileOf('tampered.ndjson', tampered());
    const outcome = await reconciled('--json', file);
    expect(outcome.exitCode).toBe(1);
    const found = parsed(outcome);
    expect(found.missing).toMatchObject([{ sequence: 2, because: 'acknowledged' }]);
    const held = { member: 'object.description', delivered: '"Büro" 3', held: 'Lager' };
    expect(found.altered).toMatchObject([{ sequence: 4, lines: [{ file, line: 3, differences: [held] }] }]);
    const { output } = await reconciled(file);
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    expect(output).toContain(`SHA-256 ${sha256}`);
    expect(output).toContain(`account ${environment.api.accountId}`);
    expect(output).toContain(
      `${file}, line 3\n      object.description: "Lager" in the file, "\\"Büro\\" 3" delivered`,
    );
    expect(output).toContain('NOT every sequence is accounted for, and 1 event was ALTERED.');
  });

  it('names an export of Waybill that has the bytes of its manifest', async () => {
    const { content } = parsed(await reconciled('--json', await fileOf('whole.ndjson', events)));
    if (!content.compared || content.export === null) throw new Error('The contents were not compared.');
    const { body } = await environment.api.admin.get(`/exports/${content.export.id}`);
    expect(body).toMatchObject({
      destination_id: destinationId,
      manifest: { count: COUNT, file: { sha256: content.export.sha256, bytes: content.export.bytes } },
    });
  });

  it('creates no export with --no-content, and says that the content was not compared', async () => {
    const before = (await environment.api.admin.get('/exports')).text;
    const outcome = await reconciled('--no-content', await fileOf('tampered.ndjson', tampered()));
    expect((await environment.api.admin.get('/exports')).text).toBe(before);
    expect(outcome.output).toContain('Compared: sequences and ids only.');
    expect(outcome.output).not.toContain('ALTERED');
  });

  it('keeps the comparison of the numbers, with the reason, when the account may not have another export', async () => {
    const { admin } = environment.api;
    const { pool } = environment.api.store;
    // Exports under way that no worker takes: they wait for a transaction that is open.
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      const waiting = await Promise.all([1, 2, 3].map(() => admin.create('/exports', { format: 'ndjson' })));
      const outcome = await reconciled('--json', await fileOf('tampered.ndjson', tampered()));
      expect(parsed(outcome).content).toEqual({
        compared: false,
        reason: expect.stringContaining('(HTTP 409, exports_under_way)'),
      });
      expect(parsed(outcome).missing).toMatchObject([{ sequence: 2 }]);
      for (const { path } of waiting) await admin.delete(path);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('refuses a download that is not what the manifest says', async () => {
    const { exports } = waybillApi();
    const download = async (id: string): Promise<ReadableStream<Uint8Array>> => {
      // Somebody changes the file in the storage: as long as before, so that only its hash tells.
      const { exportFolder } = environment.api;
      const name = (await readdir(exportFolder)).find((one) => one.startsWith(id) && one.endsWith('.ndjson'));
      const path = join(exportFolder, name ?? '');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('Büro', 'Lüge'));
      return exports.download(id);
    };
    const found = await compare({ ...exports, download });
    expect(found).toMatchObject({ altered: [], content: { compared: false } });
    expect(JSON.stringify(found.content)).toContain('is not what its manifest says');
  });

  it('accuses an event without a record, unless the retention has removed records of its time', async () => {
    const { db } = environment.api.store;
    const removed = String(events.find(({ sequence }) => sequence === 1)?.event_id);
    for (const table of ['deliveries', 'finished_deliveries'] as const)
      await db.deleteFrom(table).where('event_id', '=', removed).execute();
    const file = await fileOf('whole.ndjson', events);
    const lost = await reconciled(file);
    expect(lost.exitCode).toBe(1);
    expect(lost.output).toContain('1 UNKNOWN: IN THE EXPORT, AND WAYBILL HAS NO RECORD OF IT, THOUGH');
    expect(lost.output).toContain('NOT every sequence is accounted for.');
    await db.transaction().execute((trx) => markRetention(trx, 'deliveries', 0));
    const old = await reconciled(file);
    expect(old.exitCode).toBe(0);
    expect(old.output).toContain(
      'The content of 1 event was not compared: before the records that Waybill still has (since ',
    );
    expect(parsed(await reconciled('--json', file)).content).toMatchObject({
      uncertain: [{ sequence: 1, event_id: removed, because: 'before_records' }],
    });
  });
});

const waybillApi = () => new WaybillApi({ url: environment.api.baseUrl, key: auditorKey, destination: destinationId });

/** Compares a tampered file with these exports. */
async function compare(exports: DestinationExports): Promise<Reconciliation> {
  const exported = new ExportedEvents();
  for (const event of tampered()) exported.add(JSON.stringify(event));
  const scope = { from: 1, exportedAt: new Date() };
  const found = await reconcile(exported, waybillApi(), scope);
  return compareContent(found, exported, exports, { linesAt: async () => new Map() });
}
