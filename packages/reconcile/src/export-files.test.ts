import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExportedEvents } from './comparison/exported-events.js';
import { newestChange, readInto } from './export-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, content);
  return at;
}

/** Bytes that are read at once. */
const CHUNK_BYTES = 1_048_576;

/** Returns a member of gzip with at least some bytes: its header has a long name. */
function member(text: string, bytes: number): Buffer {
  const short = gzipSync(text);
  if (bytes === 0) return short;
  const head = Buffer.from(short.subarray(0, 10)).fill(0x08, 3, 4);
  return Buffer.concat([head, Buffer.alloc(bytes - short.length - 1, 'a'), Buffer.alloc(1), short.subarray(10)]);
}

const event = (sequence: number): string => JSON.stringify({ event_id: `evt_${sequence}`, sequence });

describe('the files of an export', () => {
  it('are read line by line, with any line ending, compressed or not', async () => {
    const exported = new ExportedEvents();
    await readInto(exported, await file('a.ndjson', `${event(1)}\r\n${event(2)}\n`));
    await readInto(exported, await file('b.ndjson', event(3)));
    await readInto(exported, await file('c.ndjson.gz', gzipSync(`${event(4)}\n${event(5)}\n`)));
    expect(exported.counts).toMatchObject({ events: 5, repeats: 0 });
  });

  it.each([
    ['cut', -9, 'unexpected end of file'],
    ['cut in the header', 5, 'unexpected end of file'],
  ])('that are compressed and %s are unreadable', async (name, end, reason) => {
    const cut = await file(`${name}.gz`, gzipSync(`${event(1)}\n${event(2)}\n`).subarray(0, end));
    await expect(readInto(new ExportedEvents(), cut)).rejects.toThrow(`${cut} cannot be read: ${reason}`);
  });

  it.each([
    ['in a chunk', 0, Buffer.alloc(1)],
    ['at the start of a chunk', CHUNK_BYTES, Buffer.alloc(3)],
    ['at the end of a chunk', CHUNK_BYTES - 3, Buffer.alloc(3)],
    ['in a chunk of their own', CHUNK_BYTES, Buffer.alloc(CHUNK_BYTES)],
  ])('that are compressed and have zeros after a member are unreadable: %s', async (name, bytes, zeros) => {
    const last = gzipSync(`${event(2)}\n`);
    const hidden = await file(`${name}.gz`, Buffer.concat([member(`${event(1)}\n`, bytes), zeros, last]));
    const reason = `${hidden} cannot be read: it has data after the end of its gzip data`;
    await expect(readInto(new ExportedEvents(), hidden)).rejects.toThrow(reason);
    const padded = await file('padded.gz', Buffer.concat([last, zeros]));
    await expect(readInto(new ExportedEvents(), padded)).rejects.toThrow('it has data after the end');
  });

  it('that are compressed and corrupt are unreadable', async () => {
    const bytes = gzipSync(`${event(1)}\n${event(2)}\n`);
    const corrupt = await file('corrupt.gz', bytes.fill(0xff, 10, 20));
    await expect(readInto(new ExportedEvents(), corrupt)).rejects.toThrow(`${corrupt} cannot be read: `);
  });

  it('that are compressed and hold no events are named with the line', async () => {
    const list = await file('list.json.gz', gzipSync(`[\n${event(1)}\n]\n`));
    await expect(readInto(new ExportedEvents(), list)).rejects.toThrow(`${list}, line 1 is no JSON.`);
  });

  it('that do not exist are named with their absolute path', async () => {
    const gone = path.relative(process.cwd(), path.join(folder, 'gone.ndjson'));
    const message = `There is no file ${path.join(folder, 'gone.ndjson')}. Give the path of the export`;
    await expect(newestChange([gone])).rejects.toThrow(message);
    await expect(readInto(new ExportedEvents(), gone)).rejects.toThrow(message);
  });

  it('may not be folders', async () => {
    await expect(readInto(new ExportedEvents(), folder)).rejects.toThrow(`${folder} is a folder. Give the files in it`);
  });

  it('that hold no events are named with the line', async () => {
    const list = await file('list.json', `[\n${event(1)}\n]\n`);
    await expect(readInto(new ExportedEvents(), list)).rejects.toThrow(
      `${list}, line 1 is no JSON. An export holds one event a line. docs/reconciliation.md shows`,
    );
  });
});
