import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { commitmentOf, leafData } from './event/leaf.js';
import { checkpointText } from './log/checkpoint.js';
import { cosignedText } from './log/cosignature.js';
import { hashLeaf } from './log/merkle.js';
import { noteKey, vkeyOf, type NoteKey } from './log/note-key.js';
import { formatNote, noteSignature, parseNote } from './log/note.js';
import { inclusionRanges } from './log/proofs.js';
import { sha256 } from './log/sha256.js';
import { TiledTree } from './log/tiled-tree.js';
import { rangeHash, tilePath } from './log/tiles.js';
import { formatLogProof } from './log/tlog-proof.js';

/** Cosigns checkpoints, for tests. */
export class TestCosigner {
  private readonly privateKey;
  private readonly key: NoteKey;

  constructor(name = 'cosigner.example.com', seed = name) {
    this.privateKey = privateKeyOf(seed);
    this.key = noteKey(name, publicKeyOf(this.privateKey), 'cosignature');
  }

  get vkey(): string {
    return vkeyOf(this.key);
  }

  /** Adds a cosignature to a checkpoint. @param time in seconds since 1970 */
  cosign(note: string, time = 1_763_719_200): string {
    const { text, signatures } = parseNote(note);
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(cosignedText(text, time)), this.privateKey);
    return formatNote(text, [...signatures, noteSignature(this.key, Buffer.concat([bytes, signature]))]);
  }
}

/** PKCS #8 of an Ed25519 key, up to its seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes logs of events, for tests: the keys and salts are no secrets. */
export class TestLog {
  readonly tiles = new Map<string, Uint8Array>();
  readonly origin: string;
  private readonly tree = new TiledTree((tile) => this.tiles.set(tilePath(tile), tile.hashes));
  private readonly privateKey;
  private readonly publicKey: Uint8Array;

  constructor(
    private readonly name = 'waybill.example.com',
    { destination = 'ed_1', epoch = 1, seed = 'a key' } = {},
    private readonly firstSequence = 1,
  ) {
    this.origin = `${name}/${destination}/${epoch}`;
    this.privateKey = privateKeyOf(seed);
    this.publicKey = publicKeyOf(this.privateKey);
  }

  /** Verifier key of the installation. */
  get vkey(): string {
    return vkeyOf(noteKey(this.name, this.publicKey));
  }

  /** Adds an event, and returns it as it is delivered. */
  append(payload: object, isBackfill = false): Readonly<Record<string, unknown>> {
    const index = this.tree.size;
    const sequence = this.firstSequence + index;
    const salt = sha256(Buffer.from(`salt ${this.origin} ${index}`)).subarray(0, 16);
    this.tree.append(hashLeaf(leafData({ sequence, isBackfill, commitment: commitmentOf(salt, payload) })));
    return {
      ...payload,
      ...(isBackfill && { backfill: true }),
      epoch: Number(this.origin.split('/').at(-1)),
      sequence,
      integrity: { log: this.origin, index, salt: Buffer.from(salt).toString('hex') },
    };
  }

  /** Returns a signed checkpoint of all events. Its tiles are in `tiles`. */
  checkpoint(): string {
    for (const tile of this.tree.partialTiles()) this.tiles.set(tilePath(tile), Buffer.from(tile.hashes));
    return this.sign(checkpointText({ origin: this.origin, size: this.tree.size, root: this.tree.root() }));
  }

  /** Signs a text as the log. */
  sign(text: string, key: NoteKey = noteKey(this.origin, this.publicKey)): string {
    return formatNote(text, [noteSignature(key, sign(null, Buffer.from(text), this.privateKey))]);
  }

  /** Returns the proof of an event in the newest checkpoint. */
  async proof(index: number): Promise<string> {
    const checkpoint = this.checkpoint();
    const { size } = this.tree;
    const read = async (tile: Parameters<typeof tilePath>[0]) => this.tiles.get(tilePath(tile)) ?? new Uint8Array();
    const ranges = inclusionRanges(index, size).map((range) => rangeHash(range, size, read));
    return formatLogProof({ index, hashes: await Promise.all(ranges), checkpoint });
  }
}

function privateKeyOf(seed: string): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8, sha256(Buffer.from(seed))]), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(privateKey: KeyObject): Buffer {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}
