import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExportManifest } from '../../src/exports/export.js';
import { openExportStorages } from '../../src/exports/storage/export-storages.js';
import { LocalFolder } from '../../src/exports/storage/local-folder.js';
import { S3Bucket } from '../../src/exports/storage/s3-bucket.js';
import { ExportCleanup } from '../../src/exports/work/export-cleanup.js';
import { ExportWorkStore } from '../../src/exports/work/export-work-store.js';
import { createLogger } from '../../src/logging/logger.js';
import { setEnvironment } from '../support/environment.js';
import { exportCleanup, exportRunner, turn, writeExport } from '../support/exports.js';
import { startS3Stub, type S3Stub } from '../support/s3-stub.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

const BUCKET = 'test-exports';
/** Less than S3 takes, so that a small file has several parts. */
const PART_BYTES = 2_000;

let stub: S3Stub;
let api: TestApi;
let bucket: S3Bucket;
beforeAll(async () => {
  stub = await startS3Stub();
  setEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' });
  api = await startTestApi({
    EXPORT_BUCKET: BUCKET,
    EXPORT_BUCKET_PREFIX: 'a/b/',
    EXPORT_BUCKET_ENDPOINT: stub.endpoint,
    RATE_LIMIT_PER_MINUTE: '0',
  });
  bucket = new S3Bucket(
    { bucket: BUCKET, prefix: 'a/b/', region: undefined, endpoint: stub.endpoint },
    { partBytes: PART_BYTES },
  );
  await api.admin.create('/ip_policies', { description: 'template' });
  // A file of several chunks.
  await api.store.pool.query(
    `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                         commitment)
     select 'evt_01k' || lpad(n::text, 23, '0'), account_id, 'many.v0', 'many', payload, now(), 'usr_many', 'op_many', ''
     from (select account_id, payload from events order by id desc limit 1) template, generate_series(1, 2000) n`,
  );
});
afterAll(async () => {
  await api.close();
  await stub.close();
});
afterEach(() => {
  stub.refuse(null);
  stub.silence(null);
});

const keyOf = (id: string, end: string) => `/${BUCKET}/a/b/${id}.${end}`;

async function written(
  storage: S3Bucket,
): Promise<{ id: string; path: string; one: Awaited<ReturnType<typeof writeExport>> }> {
  const { id, path } = await api.admin.create('/exports', { format: 'ndjson' });
  return { id, path, one: await writeExport(api, path, exportRunner(api, { storage })) };
}

describe('a bucket', () => {
  it('gets a large file in parts, and gives it back whole', async () => {
    const before = stub.calls.length;
    const { path, one } = await written(bucket);
    expect(one).toMatchObject({ state: 'completed' });
    const { file } = one.manifest as ExportManifest;
    const calls = stub.calls.slice(before);
    expect(calls.filter((call) => call === 'PUT part').length).toBeGreaterThan(2);
    expect(calls.filter((call) => call === 'POST complete')).toHaveLength(1);
    expect(stub.uploads.size).toBe(0);
    const { status, text } = await api.admin.get(`${path}/download`);
    expect([status, Buffer.byteLength(text)]).toEqual([200, file.bytes]);
    expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256);
  });

  it('gets a small file in one call', async () => {
    const before = stub.calls.length;
    const storage = new S3Bucket({ bucket: BUCKET, prefix: 'a/b/', region: 'eu-central-1', endpoint: stub.endpoint });
    const { one } = await written(storage);
    expect(one).toMatchObject({ state: 'completed' });
    expect(stub.calls.slice(before)).toEqual(['PUT object']);
  });

  it('loses the files of a deleted export, and the upload of a killed worker', async () => {
    const { id, path } = await written(bucket);
    const upload = await bucket.begin(`${id}.1.ndjson`, turn.stopped);
    await upload.write(Buffer.alloc(PART_BYTES));
    const others = await bucket.begin(`${id}.10.ndjson`, turn.stopped);
    await others.write(Buffer.alloc(PART_BYTES));
    expect([...stub.objects.keys()].filter((key) => key.includes(id))).toHaveLength(1);
    expect(stub.uploads.size).toBe(2);
    await api.admin.delete(path);
    await api.store.pool.query(`update exports set leased_until = now() where id = $1`, [id]);
    await exportCleanup(api, bucket).run(turn);
    expect([...stub.objects.keys()].filter((key) => key.includes(id))).toEqual([]);
    expect([...stub.uploads.values()].map((left) => left.path)).toEqual([keyOf(id, '10.ndjson')]);
    await others.abort();
    expect(stub.uploads.size).toBe(0);
  });

  it.each([
    ['POST create', 403, 'AccessDenied', 'storage_refused'],
    ['POST create', 404, 'NoSuchBucket', 'storage_refused'],
    ['PUT part', 507, 'XMinioStorageFull', 'storage_full'],
    ['POST complete', 400, 'EntityTooLarge', 'storage_full'],
  ] as const)(
    'that answers %s with %i %s fails the export, without an unfinished upload',
    async (call, status, code, error) => {
      stub.refuse(call, status, code);
      const { one } = await written(bucket);
      expect(one).toMatchObject({ state: 'failed', error: { code: error } });
      expect((one.error as { message: string }).message).toContain(code);
      expect(JSON.stringify(one.error)).not.toContain(BUCKET);
      expect(stub.uploads.size).toBe(0);
    },
  );

  it('gives back the part of a file that a client misses', async () => {
    const { path } = await written(bucket);
    const { text } = await api.admin.get(`${path}/download`);
    const { status, text: rest } = await api.admin.get(`${path}/download`, { range: 'bytes=5000-' });
    expect([status, rest]).toEqual([206, text.slice(5_000)]);
  });

  it('without the object is a 503', async () => {
    const { id, path } = await written(bucket);
    await bucket.remove([`${id}.1.ndjson`], turn.stopped);
    const { status, body } = await api.admin.get(`${path}/download`);
    expect([status, body.error_code]).toEqual([503, 'export_file_unavailable']);
  });
});

it('an upload sends each part when it is full', async () => {
  const upload = await bucket.begin('large', turn.stopped);
  for (let chunk = 0; chunk < 100; chunk += 1) {
    await upload.write(Buffer.alloc(500, 'a'));
    const sent = [...stub.uploads.values()].flatMap(({ parts }) => [...parts.values()].map((part) => part.length));
    expect(sent).toEqual(Array.from({ length: Math.floor((chunk + 1) / 4) }, () => PART_BYTES));
  }
  await upload.finish();
  expect(stub.objects.get(keyOf('large', '').slice(0, -1))?.length).toBe(50_000);
  await bucket.remove(['large'], turn.stopped);
});

it('an upload that is cancelled leaves no upload behind', async () => {
  const control = new AbortController();
  const upload = await bucket.begin('cancelled', control.signal);
  await upload.write(Buffer.alloc(PART_BYTES));
  control.abort(new Error('cancelled'));
  await expect(upload.write(Buffer.alloc(PART_BYTES))).rejects.toThrow('cancelled');
  await upload.abort();
  expect(stub.uploads.size).toBe(0);
});

describe('a bucket that sends no response', () => {
  /** Less than a worker waits for a bucket: only the tests are in a hurry. */
  const impatient = () =>
    new S3Bucket(
      { bucket: BUCKET, prefix: 'a/b/', region: undefined, endpoint: stub.endpoint },
      { partBytes: PART_BYTES, silenceMs: 200 },
    );

  it.each(['PUT part', 'POST complete'] as const)('to %s fails the export', async (call) => {
    stub.silence(call);
    const { one } = await written(impatient());
    expect(one).toMatchObject({ state: 'failed', error: { code: 'storage_unavailable' } });
    expect(stub.uploads.size).toBe(0);
  });

  it('ends no removal of files, until the process stops', async () => {
    stub.silence('GET uploads');
    await expect(impatient().remove(['one'], turn.stopped)).rejects.toMatchObject({ code: 'storage_unavailable' });
    const control = new AbortController();
    const removal = bucket.remove(['one'], control.signal);
    control.abort(new Error('stopping'));
    await expect(removal).rejects.toThrow('stopping');
  });

  it('is no reason to restart the worker: each removal that fails is progress', async () => {
    const { id, path } = await written(bucket);
    await api.admin.delete(path);
    await api.store.pool.query(`update exports set leased_until = now() where id = $1`, [id]);
    stub.silence('GET uploads');
    let progress = 0;
    const removed = await exportCleanup(api, impatient()).run({ ...turn, progressed: () => void (progress += 1) });
    expect([removed, progress > 0]).toEqual([0, true]);
  });
});

it('a file of the folder is found and removed when the setting of a bucket has come later', async () => {
  const folder = new LocalFolder(api.exportFolder);
  const { id, path } = await api.admin.create('/exports', { format: 'ndjson' });
  await writeExport(api, path, exportRunner(api, { storage: folder }));
  expect((await api.admin.get(`${path}/download`)).status).toBe(200);
  await api.admin.delete(path);
  await api.store.pool.query(`update exports set leased_until = now() where id = $1`, [id]);
  const store = new ExportWorkStore(api.store.db);
  const settings = {
    EXPORT_FOLDER: api.exportFolder,
    EXPORT_BUCKET: BUCKET,
    EXPORT_BUCKET_PREFIX: 'a/b/',
    EXPORT_BUCKET_REGION: undefined,
    EXPORT_BUCKET_ENDPOINT: stub.endpoint,
  };
  const storages = openExportStorages(settings);
  expect(storages.current.name).toBe(`s3://${BUCKET}/a/b/`);
  await new ExportCleanup({ store, storages, logger: createLogger('silent') }).run(turn);
  expect((await readdir(api.exportFolder)).filter((name) => name.startsWith(id))).toEqual([]);
});

it('a file of a bucket is found when the setting names another bucket', async () => {
  const { id } = await written(bucket);
  const { storages } = await api.store.db
    .selectFrom('exports')
    .select('storages')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const others = openExportStorages({
    EXPORT_FOLDER: api.exportFolder,
    EXPORT_BUCKET: 'another-bucket',
    EXPORT_BUCKET_PREFIX: 'c/',
    EXPORT_BUCKET_REGION: undefined,
    EXPORT_BUCKET_ENDPOINT: stub.endpoint,
  });
  const [storage] = others.of({ storages });
  expect(storage?.name).toBe(`s3://${BUCKET}/a/b/`);
  expect(await storage?.sizeOf(`${id}.1.ndjson`)).toBe(stub.objects.get(keyOf(id, '1.ndjson'))?.length);
});
