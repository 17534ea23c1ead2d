import type { ReceivedEvent } from '@waybill/sandbox';
import {
  commitmentOf,
  hashLeaf,
  HASH_BYTES,
  leafData,
  openCheckpoint,
  parseVkey,
  rangeHash,
  sameHash,
  TILE_WIDTH,
  tileOf,
  tilePath,
  type NoteKey,
  type TileAddress,
  type TileReader,
} from '@waybill/verify';
import { checkpointEvent } from '../../../src/events/catalogue/checkpoint-event.js';
import type { ApiClient } from '../../harness/api-client.js';

/** A delivered event, with what its log needs. */
interface LoggedEvent extends Readonly<Record<string, unknown>> {
  readonly event_type: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly backfill?: true;
  readonly integrity: { readonly log: string; readonly index: number; readonly salt: string };
  readonly object: { readonly log?: string; readonly checkpoint?: string };
}

/** What the logs of a destination say about its arrivals. */
export interface Disproved {
  /** Arrivals that the log proves: those of no checkpoint yet are left out. */
  readonly proved: number;
  /** Arrivals that the log has otherwise, and checkpoints among them that the log does not extend. */
  readonly disproved: number;
}

/** Returns the verifier keys of the logs. */
export async function verifierKeys(api: ApiClient): Promise<readonly NoteKey[]> {
  const text = await api.file('/.well-known/waybill-log-keys');
  return String(text).trim().split('\n').map(parseVkey);
}

/** Verifies the arrivals at a destination with its logs: each event, and each checkpoint that has arrived. */
export async function disprovedAt(
  api: ApiClient,
  destinationId: string,
  received: readonly Pick<ReceivedEvent, 'body'>[],
  keys: readonly NoteKey[],
): Promise<Disproved> {
  const arrivals = received.map(({ body }) => JSON.parse(body) as LoggedEvent);
  const counts = { proved: 0, disproved: 0 };
  for (const epoch of new Set(arrivals.map((event) => event.epoch))) {
    const path = `/event_destinations/${destinationId}/log/${epoch}`;
    const note = await api.file(`${path}/checkpoint`);
    if (note === null) continue;
    const { origin, size, root } = openCheckpoint(note.toString(), keys);
    const readTile = tileReader(api, path);
    if (!sameHash(await rangeHash([0, size], size, readTile), root))
      throw new Error(`The tiles of ${origin} do not lead to its root.`);
    for (const event of arrivals.filter(({ integrity }) => integrity.log === origin)) {
      if (event.integrity.index >= size) continue;
      const isProved = sameHash(leafOf(event), await leafAt(event.integrity.index, size, readTile));
      counts[isProved ? 'proved' : 'disproved'] += 1;
    }
    for (const { event_type: type, object } of arrivals) {
      if (type !== checkpointEvent.type || object.log !== origin) continue;
      const earlier = openCheckpoint(object.checkpoint ?? '', keys);
      // A later one is of numbers that a restore has undone.
      if (earlier.size > size) continue;
      if (!sameHash(await rangeHash([0, earlier.size], size, readTile), earlier.root)) counts.disproved += 1;
    }
  }
  return counts;
}

/** Azure tables have a time of their own beside the event. */
function leafOf({
  epoch: _epoch,
  sequence,
  backfill,
  integrity,
  TimeGenerated: _time,
  ...payload
}: LoggedEvent): Uint8Array {
  const commitment = commitmentOf(Buffer.from(integrity.salt, 'hex'), payload);
  return hashLeaf(leafData({ sequence, isBackfill: backfill === true, commitment }));
}

async function leafAt(index: number, size: number, readTile: TileReader): Promise<Uint8Array> {
  const hashes = await readTile(tileOf(0, Math.floor(index / TILE_WIDTH), size));
  const at = (index % TILE_WIDTH) * HASH_BYTES;
  return hashes.subarray(at, at + HASH_BYTES);
}

/** Reads each tile once. */
function tileReader(api: ApiClient, path: string): TileReader {
  const tiles = new Map<string, Promise<Buffer | null>>();
  return async (tile: TileAddress) => {
    const name = tilePath(tile);
    const reading = tiles.get(name) ?? api.file(`${path}/${name}`);
    tiles.set(name, reading);
    return (await reading) ?? Buffer.alloc(0);
  };
}
