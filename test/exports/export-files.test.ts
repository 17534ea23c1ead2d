import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LineSplitter } from '@waybill/verify/readers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RetentionMarks } from '../../src/database/partitions/retention-marks.js';
import { LaneViewStore } from '../../src/destinations/status/lane-view-store.js';
import { EventSearchStore } from '../../src/events/log/event-search-store.js';
import type { EventSearch } from '../../src/events/log/event-search.js';
import { ExportsController } from '../../src/exports/api/exports.controller.js';
import { ExportStore } from '../../src/exports/export-store.js';
import type { ExportManifest } from '../../src/exports/export.js';
import type { ExportStorage } from '../../src/exports/storage/export-storage.js';
import { LocalFolder } from '../../src/exports/storage/local-folder.js';
import { EVENTS_OF_PAGE } from '../../src/exports/work/export-writer.js';
import type { RequestContext } from '../../src/http/request/request-context.js';
import type { Logger } from '../../src/logging/logger.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';
import { exportRunner, onlyStorage, writeExport } from '../support/exports.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  const bot = await api.admin.create('/bot_users', { name: '=HYPERLINK("https://example.com")' });
  const key = await api.admin.create('/api_keys', { owner_id: bot.id });
  for (let index = 0; index < 6; index += 1) {
    const policy = await api.client(String(key.token)).create('/ip_policies', { description: `${index}` });
    await api.admin.patch(policy.path, { description: 'changed' });
  }
});
afterAll(() => api.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The payloads of the events that match now, oldest first, as they are stored. */
async function storedPayloads(filter: JsonObject = {}): Promise<readonly string[]> {
  const search = new EventSearchStore(api.store.db);
  const { events } = await search.page(api.accountId, filter, { order: 'oldest_first' }, 1_000);
  return events.map(({ payload }) => payload);
}

/** The cells of the column `event` of a CSV file. */
function eventsOfTable(table: string): readonly string[] {
  const events: string[] = [];
  const lines = new LineSplitter('table', (line) => events.push(line));
  lines.push(table);
  lines.end();
  return events.slice(1);
}

async function exported(body: JsonObject): Promise<{ one: JsonObject; path: string; manifest: ExportManifest }> {
  const { path } = await api.admin.create('/exports', body);
  const one = await writeExport(api, path);
  expect(one, JSON.stringify(one.error)).toMatchObject({ state: 'completed', error: null });
  return { one, path, manifest: one.manifest as ExportManifest };
}

describe('an NDJSON file', () => {
  it('has every matching event, oldest first, byte for byte, and the manifest proves it', async () => {
    const { one, path, manifest } = await exported({ format: 'ndjson' });
    const wanted = (await storedPayloads()).map((line) => `${line}\n`).join('');
    const { status, text, headers } = await api.admin.get(`${path}/download`);
    expect([status, text]).toEqual([200, wanted]);
    const lines = wanted.trim().split('\n');
    const times = lines.map((line) => (JSON.parse(line) as { event_timestamp: string }).event_timestamp).toSorted();
    expect(manifest).toMatchObject({
      export_id: one.id,
      count: lines.length,
      time_range: { first: times[0], last: times.at(-1) },
      file: { name: `${String(one.id)}.ndjson`, bytes: Buffer.byteLength(wanted), sha256: sha256(wanted) },
      sequence_ranges: null,
      states: null,
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-length': String(Buffer.byteLength(wanted)),
      'content-disposition': `attachment; filename="${String(one.id)}.ndjson"`,
      etag: `"${manifest.file.sha256}"`,
    });
    expect(one.progress).toMatchObject({ events: lines.length, bytes: Buffer.byteLength(wanted) });
  });

  it('is not sent again to a client that has it, and not at all to a HEAD', async () => {
    const { path, manifest } = await exported({ format: 'ndjson' });
    const again = await api.admin.get(`${path}/download`, { 'if-none-match': `"${manifest.file.sha256}"` });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await api.admin.send('HEAD', `${path}/download`);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(manifest.file.bytes));
  });

  it('is sent in part to a client that has the rest, as long as it is the same file', async () => {
    const { path, manifest } = await exported({ format: 'ndjson' });
    const { file } = manifest;
    const etag = `"${file.sha256}"`;
    const { text: whole, headers } = await api.admin.get(`${path}/download`);
    expect(headers.get('accept-ranges')).toBe('bytes');
    const get = (more: Record<string, string>) => api.admin.get(`${path}/download`, more);
    const part = await get({ range: 'bytes=100-', 'if-range': etag });
    expect([part.status, part.text]).toEqual([206, whole.slice(100)]);
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-range': `bytes 100-${file.bytes - 1}/${file.bytes}`,
      'content-length': String(file.bytes - 100),
      'content-type': 'application/x-ndjson',
      etag,
    });
    expect((await get({ range: 'bytes=5-9' })).text).toBe(whole.slice(5, 10));
    // Of another file, the client gets the whole.
    const other = await get({ range: 'bytes=100-', 'if-range': '"other"' });
    expect([other.status, other.text]).toEqual([200, whole]);
    const known = await get({ range: 'bytes=100-', 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
    const behind = await get({ range: `bytes=${file.bytes}-` });
    expect([behind.status, behind.body.error_code]).toEqual([416, 'range_not_satisfiable']);
    expect(behind.headers.get('content-range')).toBe(`bytes */${file.bytes}`);
  });

  it('has a trail of who has read it, and none of a client that reads nothing', async () => {
    const { one, manifest } = await exported({ format: 'ndjson' });
    const lines: unknown[] = [];
    const logger = { info: (fields: object, message: string) => void lines.push([message, fields]) };
    const { db } = api.store;
    const exports = new ExportsController(
      new ExportStore(db),
      {} as EventSearch,
      new EventSearchStore(db),
      new LaneViewStore(db, 1_000),
      new RetentionMarks(db),
      onlyStorage(new LocalFolder(api.exportFolder)),
      { underWay: 1, files: 1, bytes: 1 },
      logger as unknown as Logger,
    );
    const context = { accountId: api.accountId, principal: { id: 'usr_1' }, operationId: 'op_1' } as RequestContext;
    const opened = await exports.file(context, String(one.id));
    expect(lines).toEqual([]);
    await buffer(Readable.from(opened.content));
    const who = { account_id: api.accountId, principal_id: 'usr_1', operation_id: 'op_1', export: one.id };
    expect(lines).toMatchObject([
      ['an export is downloaded', { ...who, first_byte: 0 }],
      ['the download of an export has ended', { ...who, bytes: manifest.file.bytes, outcome: 'complete' }],
    ]);
  });

  it('has the events that the same filter finds in the search', async () => {
    const [first] = await storedPayloads({ type: ['ip_policy_updated.v0'] });
    const { principal } = JSON.parse(first ?? '') as { principal: { id: string } };
    const filter = { type: ['ip_policy_updated.v0'], principal_id: principal.id, changed: 'description' };
    const { one, path, manifest } = await exported({ format: 'ndjson', filter });
    expect(one.filter).toEqual(filter);
    expect(manifest.count).toBe(6);
    const { text } = await api.admin.get(`${path}/download`);
    expect(text.trim().split('\n')).toEqual(await storedPayloads(filter));
  });
});

it('a CSV file is a table in which no cell is a formula', async () => {
  const { path } = await exported({ format: 'csv', filter: { type: 'ip_policy_created.v0' } });
  const { text, headers } = await api.admin.get(`${path}/download`);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const rows = text.trimEnd().split('\r\n');
  expect(rows).toHaveLength(7);
  expect(rows[0]).toMatch(/^"event_id","event_type",/);
  const subjects = rows.slice(1).map((row) => row.includes(`"'=HYPERLINK(""https://example.com"")"`));
  expect(subjects).toEqual(Array.from({ length: 6 }, () => true));
  expect(text).not.toMatch(/(?:^|,|\n)"?\s*[=+\-@]/);
});

describe('the export of a destination', () => {
  let delivering: DeliveringApi;
  beforeAll(async () => {
    delivering = await DeliveringApi.start();
  });
  afterAll(() => delivering.close());

  it('has what was delivered there, with number, epoch and state', async () => {
    const destination = await delivering.destination();
    await delivering.publish(5);
    const deliveries = (await delivering.ended(destination.path, 'delivered', 5)).toReversed();
    // No destination: their events are in no line.
    await delivering.api.admin.create('/bot_users', { name: 'bot' });
    const { path } = await delivering.api.admin.create('/exports', {
      format: 'ndjson',
      destination_id: destination.id,
    });
    const one = await writeExport(delivering.api, path);
    const { text } = await delivering.api.admin.get(`${path}/download`);
    const lines = text.trim().split('\n');
    const numbered = lines.map((line) => line.replace(/,"delivery":\{[^{}]*\}\}$/, '}'));
    expect(numbered).toEqual(delivering.arrivals(destination.arn));
    expect(lines.map((line) => (JSON.parse(line) as { delivery: JsonObject }).delivery)).toMatchObject(
      deliveries.map(({ id, state }) => ({ id, state, destination_id: destination.id, error: null })),
    );
    const { epoch } = deliveries[0] as unknown as { epoch: number };
    expect(one.manifest).toMatchObject({
      destination_id: destination.id,
      count: 5,
      states: { delivered: 5 },
      sequence_ranges: [{ epoch, first: 1, last: 5, count: 5 }],
      projected: 0,
    });
  });

  it('has what `fields` left of the events, byte for byte as it arrived, and says for which', async () => {
    const { api: there } = delivering;
    const destination = await delivering.destination();
    const whole = await delivering.destination();
    const sources = [
      {
        type: 'bot_user_created.v0',
        filter: 'object.name != "refused"',
        fields: { exclude: ['/object/id', '/request'], hash: ['/object/name', '/principal'] },
      },
    ];
    await there.admin.create('/event_subscriptions', { destination_ids: [destination.id], sources });
    await there.admin.create('/event_subscriptions', {
      destination_ids: [whole.id],
      sources: [{ type: 'bot_user_created.v0' }],
    });
    await delivering.publish(1);
    for (const name of ['Ann', 'refused', 'Ben']) await there.admin.create('/bot_users', { name });
    await delivering.ended(destination.path, 'delivered', 3);
    await delivering.ended(whole.path, 'delivered', 4);
    const fileOf = async (destinationId: string, format: string) => {
      const { path } = await there.admin.create('/exports', { format, destination_id: destinationId });
      const { manifest } = await writeExport(there, path);
      return { manifest, text: (await there.admin.get(`${path}/download`)).text };
    };
    const { manifest, text } = await fileOf(destination.id, 'ndjson');
    expect(manifest).toMatchObject({ count: 3, projected: 2, sequence_ranges: [{ first: 1, last: 3, count: 3 }] });
    const lines = text.trim().split('\n');
    const delivered = lines.map((line) => line.replace(/,"delivery":\{[^{}]*\}\}$/, '}'));
    expect(delivered).toEqual(delivering.arrivals(destination.arn));
    expect(lines.map((line) => (JSON.parse(line) as { delivery: JsonObject }).delivery.projected)).toEqual([
      false,
      true,
      true,
    ]);
    expect(text).not.toContain('Ann');
    const table = await fileOf(destination.id, 'csv');
    expect(table.text).not.toContain('Ann');
    expect(eventsOfTable(table.text)).toEqual(lines);
    const hashes = table.text.match(/(?<=,)"hmac-sha256:[0-9a-f]{64}"(?=,)/g) ?? [];
    // The principal in four cells of two rows.
    expect([hashes.length, new Set(hashes).size]).toEqual([8, 1]);
    const other = await fileOf(whole.id, 'ndjson');
    expect(other.manifest).toMatchObject({ count: 4, projected: 0 });
    expect(other.text).toContain('Ann');
  });
});

describe('memory', () => {
  it('holds a page of events and a chunk of the file, whatever their number', async () => {
    const [template] = await storedPayloads();
    const pages: number[] = [];
    const chunks: number[] = [];
    const finished: string[] = [];
    const storage: ExportStorage = {
      name: 'memory',
      begin: async (name) => ({
        write: async (chunk) => void chunks.push(chunk.length),
        finish: async () => void finished.push(name),
        abort: async () => undefined,
      }),
      sizeOf: async () => null,
      // oxlint-disable-next-line require-yield
      async *read() {
        throw new Error('not read');
      },
      remove: async () => undefined,
    };
    const most: { page: number; chunk: number; bytes: number }[] = [];
    for (const count of [1_000, 10_000]) {
      const type = `many_${count}.v0`;
      await api.store.pool.query(
        `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                         commitment)
         select 'evt_01k' || lpad(n::text, 23, '0'), $1, $2, 'many', $3, now(), 'usr_many', 'op_many', ''
         from generate_series($4::int, $5::int) n`,
        [api.accountId, type, template, count, 2 * count - 1],
      );
      const { path } = await api.admin.create('/exports', { format: 'ndjson', filter: { type: [type] } });
      pages.length = chunks.length = 0;
      const store = new EventSearchStore(api.store.db);
      const events = {
        page: async (...given: Parameters<EventSearchStore['page']>) => {
          const found = await store.page(...given);
          pages.push(found.events.length);
          return found;
        },
      };
      const one = await writeExport(api, path, exportRunner(api, { events, storage }));
      expect(one).toMatchObject({ state: 'completed', progress: { events: count } });
      const bytes = chunks.reduce((sum, length) => sum + length, 0);
      most.push({ page: Math.max(...pages), chunk: Math.max(...chunks), bytes });
    }
    const [small, large] = most;
    expect(large?.bytes).toBeGreaterThan(9 * (small?.bytes ?? Infinity));
    expect([small?.page, large?.page]).toEqual([EVENTS_OF_PAGE, EVENTS_OF_PAGE]);
    expect(large?.chunk).toBeLessThanOrEqual((small?.chunk ?? 0) + Buffer.byteLength(template ?? ''));
    expect(finished).toHaveLength(2);
    expect((await readdir(api.exportFolder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
