import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  commitmentOf,
  leafData,
  logKey,
  parseVkey,
  TILE_WIDTH,
  tileOf,
  tilePath,
  tilesOf,
  vkeyOf,
} from '@waybill/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import { DeliveringApi } from '../support/delivering-api.js';

/** More than one tile of level 0 holds. */
const COUNT = TILE_WIDTH + 44;
const EVENTS_AT_ONCE = 100;

// docs/proof.md says how to install the programs.
const hasAicsTlog = spawnSync('python3', ['-c', 'import aics_tlog']).status === 0;
const hasFsck = String(spawnSync('fsck', ['--help']).stderr).includes('-storage_url');

const execute = promisify(execFile);

describe.skipIf(!hasAicsTlog && !hasFsck)('programs of others that read logs of C2SP', () => {
  let delivering: DeliveringApi;
  let folder: string;
  /** The folder with the files that tlog-tiles names, beside the key. */
  let log: string;
  let size: number;

  beforeAll(async () => {
    [delivering, folder] = await Promise.all([
      DeliveringApi.start({ PROOF_CHECKPOINT_SECONDS: '0.2' }),
      mkdtemp(path.join(tmpdir(), 'waybill-other-verifiers-')),
    ]);
    log = path.join(folder, 'log');
    const { admin } = delivering.api;
    const destination = await delivering.destination();
    await admin.create('/resource_types', { name: 'order' });
    await admin.create('/event_subscriptions', {
      destination_ids: [destination.id],
      sources: [{ type: 'order_updated.v0' }],
    });
    const event = { type: 'order_updated.v0', resource_id: 'o1', object: { id: 'o1' } };
    for (let sent = 0; sent < COUNT; sent += EVENTS_AT_ONCE) {
      const events = Array.from({ length: EVENTS_AT_ONCE }, () => event);
      const { status, text } = await admin.post('/events', { events });
      if (status !== 202) throw new Error(text);
    }
    const at = `${admin.baseUrl}${destination.path}/log/1`;
    const get = async (name: string) => {
      const response = await fetch(`${at}/${name}`, {
        headers: { authorization: `Bearer ${admin.token}`, 'service-version': '2' },
      });
      if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
      return new Uint8Array(await response.arrayBuffer());
    };
    const leafCount = (checkpoint: Uint8Array) => Number(Buffer.from(checkpoint).toString().split('\n')[1]);
    await until(async () => leafCount(await get('checkpoint').catch(() => new Uint8Array())) >= COUNT, 'a checkpoint');
    const checkpoint = await get('checkpoint');
    size = leafCount(checkpoint);
    await save('checkpoint', checkpoint);
    for (const tile of tilesOf(size).map(tilePath)) await save(tile, await get(tile));
    const entries = leaves(destination.arn);
    for (let start = 0; start < size; start += TILE_WIDTH) {
      const tile = tileOf(0, start / TILE_WIDTH, size);
      await save(tilePath(tile).replace('/0/', '/entries/'), bundle(entries.slice(start, start + tile.width)));
    }
    const keys = await (await fetch(`${admin.baseUrl}/.well-known/waybill-log-keys`)).text();
    const [origin = ''] = Buffer.from(checkpoint).toString().split('\n');
    const key = logKey(origin, parseVkey(keys.trim()));
    if (key === null) throw new Error(`${origin} is no log of ${keys}`);
    await writeFile(path.join(folder, 'vkey'), vkeyOf(key));
  });
  afterAll(async () => {
    await delivering.close();
    await rm(folder, { recursive: true });
  });

  async function save(name: string, content: Uint8Array): Promise<void> {
    await mkdir(path.dirname(path.join(log, name)), { recursive: true });
    await writeFile(path.join(log, name), content);
  }

  /** Returns the leaves of the events that a stream received. */
  function leaves(address: string): readonly Uint8Array[] {
    const events = delivering.sandbox
      .received({ target: 'data_stream', address })
      .map(({ body }) => JSON.parse(body))
      .toSorted((one, other) => one.sequence - other.sequence);
    return events.map(({ epoch: _epoch, sequence, integrity, ...payload }) =>
      leafData({ sequence, isBackfill: false, commitment: commitmentOf(Buffer.from(integrity.salt, 'hex'), payload) }),
    );
  }

  it.skipIf(!hasFsck)(
    'fsck of Tessera makes the same tiles and root of the leaves, and finds an altered leaf',
    async () => {
      const fsck = async () => {
        // With fewer workers it waits for ever where it finds something.
        const options = [
          '--ui=false',
          '-N=16',
          `--storage_url=file://${log}/`,
          `--public_key=${path.join(folder, 'vkey')}`,
        ];
        // It ends with 0 also where it found something.
        return (await execute('fsck', options)).stderr;
      };
      expect(await fsck()).toContain(`Successfully fsck'd log with size ${size}`);

      const first = 'tile/entries/000';
      const entries = await readFile(path.join(log, first));
      await save(first, entries.with(20, (entries.at(20) ?? 0) ^ 1));
      expect(await fsck()).toContain('fsck failed');
      await save(first, entries);
    },
  );

  it.skipIf(!hasAicsTlog)('aics-tlog accepts the checkpoint and each tile, and finds an altered tile', async () => {
    const audit = `import sys
from aics_tlog import FileSystemTileReader, audit_tiles, parse_note, parse_vkey, verify_checkpoint
log, vkey = sys.argv[1:]
with open(log + '/checkpoint', encoding='utf-8') as file:
    checkpoint = verify_checkpoint(parse_note(file.read()), parse_vkey(open(vkey).read()))
print(checkpoint.ok, audit_tiles(FileSystemTileReader(log), checkpoint.size, checkpoint.root))`;
    const audited = () => execute('python3', ['-c', audit, log, path.join(folder, 'vkey')]);
    expect((await audited()).stdout).toContain(`True AuditReport(size=${size}, tiles=3, bundles=2)`);

    const first = 'tile/0/000';
    const hashes = await readFile(path.join(log, first));
    await save(first, hashes.with(20, (hashes.at(20) ?? 0) ^ 1));
    await expect(audited()).rejects.toThrow('TileVerificationError');
    await save(first, hashes);
  });
});

/** Returns a bundle of entries: each with its length in two bytes before it. https://c2sp.org/tlog-tiles#log-entries */
function bundle(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]));
}
