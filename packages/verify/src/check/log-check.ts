import { leafData } from '../event/leaf.js';
import { toBase64 } from '../log/base64.js';
import type { Checkpoint } from '../log/checkpoint.js';
import { hashLeaf, sameHash } from '../log/merkle.js';
import type { TreeHead } from '../log/proofs.js';
import { HASH_BYTES } from '../log/sha256.js';
import { TiledTree } from '../log/tiled-tree.js';
import { TILE_WIDTH, type TileReader } from '../log/tiles.js';
import type { EventNumber, ExportedEvent } from '../readers/event-line.js';
import { AuthenticTiles, ForeignTilesError } from './authentic-tiles.js';
import type { ErasedIndexes } from './erased-indexes.js';
import { counted } from './finding-words.js';
import type { Findings, Place } from './finding.js';
import { LeafStore } from './leaf-store.js';
import { epochOf, sealedEvent, type SealedEvent } from './sealed-event.js';

/** An event in the files. */
interface PlacedEvent extends Place, SealedEvent {}

/** What a finding says of one. */
type NamedEvent = Pick<PlacedEvent, 'index' | 'eventId' | keyof Place>;

/** A state of the log that it has signed, and the place of the event that holds it. */
interface SignedHead extends TreeHead, Partial<Place> {}

/** Roots of trees by their sizes. */
type Roots = ReadonlyMap<number, Uint8Array>;

/** What is needed to name what is wrong. */
export interface Evidence {
  /** Reads tiles of the log. */
  readonly tiles: TileReader;
  /** Reads the events of the files again, of those that can be read again. */
  readonly readEvents: (onEvent: (event: ExportedEvent, place: Place) => void) => Promise<void>;
  /** Returns whether it is known why an event is not in the files: it is then no finding. Default: of none. */
  readonly isAccountedFor?: (number: EventNumber) => boolean;
  /** First sequence of the epoch, for a log of which the files hold no event. */
  readonly firstSequence?: number;
}

/** Result of the check of one log. */
export interface LogResult {
  readonly log: string;
  /** Number of leaves in the newest checkpoint. */
  readonly size: number;
  readonly root: string;
  /** Different events of the export that the checkpoint covers. */
  readonly events: number;
  /** Events that are there again with the same content. */
  readonly repeats: number;
  /** Events that come after a later sequence. */
  readonly out_of_order: number;
  /** Events after the newest checkpoint, which are not verified. */
  readonly not_yet_sealed: number;
  /** Sequences that are not in the files, and that erasure records name. */
  readonly erased: number;
  /** First and last sequences of those, at most 1,000 ranges. */
  readonly erased_sequences: readonly (readonly [first: number, last: number])[];
  /** Sequences that erasure records name although the files have them: they are verified as all others. */
  readonly erased_but_there: number;
  /** Whether each event was compared with the log. */
  readonly is_compared: boolean;
  /** Why not, or what else is needed. */
  readonly note?: string;
}

/** What the log has where the files hold another leaf, or none. */
interface WrongLeaves {
  /** Those that the files hold with another hash. */
  readonly altered: LeafStore;
  /** The first of these, then of those that are missing beside others. */
  readonly first: readonly (readonly [index: number, hash: Uint8Array])[];
}

/** Most altered events, and most leaves, that are compared with each other to find sequences that were exchanged. */
const MOST_EXCHANGED = 300;

/** Most of each that are kept: repeats with another content, places of altered events, differences after the end. */
const MOST_VARIANTS = 10_000;

/** Reasons of findings. */
const ALTERED = 'not what the log has';
const REPEATED = 'the export holds this sequence with different contents';

/** Most events after the checkpoint whose leaves are kept, for later checkpoints in the files. */
const MOST_UNSEALED = 1_000_000;

/** Most ranges of erased sequences that are listed. */
const MOST_ERASED = 1_000;

/** Compares the events of one log with its checkpoints. */
export class LogCheck {
  private readonly leaves = new LeafStore();
  private readonly head: Checkpoint;
  /** The checkpoints that were given, and those in the files, by size and root. */
  private readonly heads = new Map<string, SignedHead>();
  private readonly variants: PlacedEvent[] = [];
  /** Of each index after the checkpoint, the first event with another content than the one before. */
  private readonly laterVariants = new Map<number, NamedEvent>();
  /** How many events have this difference of sequence and index: events that are not altered have the same. */
  private readonly offsets = new Map<number, number>();
  /** The first event after the checkpoint with each of these differences. */
  private readonly later = new Map<number, PlacedEvent>();
  /** The difference that most events have. */
  private offset = 1;
  private readonly counts = { events: 0, repeats: 0, outOfOrder: 0, notYetSealed: 0 };
  private readonly erased: [first: number, last: number][] = [];
  private highest = -1;

  /** @param given checkpoints of one log, one at least, by their sizes */
  constructor(
    readonly log: string,
    given: readonly Checkpoint[],
    private readonly findings: Findings,
  ) {
    const head = given.at(-1);
    if (head === undefined) throw new Error(`There is no checkpoint of ${log}.`);
    this.head = head;
    for (const one of given) this.addHead(one);
  }

  /** Returns whether the newest checkpoint covers an event. */
  isSealed({ index }: SealedEvent): boolean {
    return index < this.head.size;
  }

  /** Adds another checkpoint, whose signature was verified. */
  addHead({ size, root, file, line }: SignedHead): void {
    const key = `${size} ${toBase64(root)}`;
    if (!this.heads.has(key)) this.heads.set(key, { size, root, file, line });
  }

  /** Adds an event of the log. */
  add(event: SealedEvent, place: Place): void {
    const { index, sequence, eventId, leafHash } = event;
    const known = this.leaves.get(index);
    if (!this.isSealed(event)) {
      this.counts.notYetSealed += 1;
      if (known === undefined) {
        if (index < this.head.size + MOST_UNSEALED) this.leaves.set(index, leafHash);
      } else if (!sameHash(known, leafHash) && !this.laterVariants.has(index))
        this.laterVariants.set(index, { index, eventId, ...place });
      if (!this.later.has(sequence - index) && this.later.size < MOST_VARIANTS)
        this.later.set(sequence - index, { ...event, ...place });
      return;
    }
    this.offsets.set(sequence - index, (this.offsets.get(sequence - index) ?? 0) + 1);
    if (known === undefined) {
      this.leaves.set(index, leafHash);
      this.counts.events += 1;
      if (index < this.highest) this.counts.outOfOrder += 1;
      this.highest = Math.max(index, this.highest);
    } else if (sameHash(known, leafHash)) this.counts.repeats += 1;
    else if (this.variants.length < MOST_VARIANTS) this.variants.push({ ...event, ...place });
  }

  /**
   * Returns the result, and adds what is wrong to the findings.
   * @param named what erasure records name
   */
  async finish(evidence: Evidence, named: ErasedIndexes): Promise<LogResult> {
    const { firstSequence = 1, isAccountedFor = () => false } = evidence;
    this.offset = [...this.offsets].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? firstSequence;
    this.addMisplaced();
    const erased = this.addMissing(named, isAccountedFor);
    const { note, isCompared } = await this.compare(evidence);
    const { size, root } = this.head;
    return {
      log: this.log,
      size,
      root: toBase64(root),
      events: this.counts.events,
      repeats: this.counts.repeats,
      out_of_order: this.counts.outOfOrder,
      not_yet_sealed: this.counts.notYetSealed,
      erased,
      erased_sequences: this.erased,
      erased_but_there: named.countBelow(size) - erased,
      is_compared: isCompared,
      ...(note !== undefined && { note }),
    };
  }

  private async compare(evidence: Evidence): Promise<{ isCompared: boolean; note?: string }> {
    // At one size, the checkpoint that counts comes last.
    const isLast = ({ root }: SignedHead) => Number(sameHash(root, this.head.root));
    const heads = [...this.heads.values()].toSorted((a, b) => a.size - b.size || isLast(a) - isLast(b));
    const own = this.ownRoots(heads);
    const covered = heads.at(-1)?.size ?? 0;
    for (const variant of this.laterVariants.values()) if (variant.index < covered) this.addRepeat(variant);
    if (!isRootOf(own, this.head)) {
      const note = await this.compareTiles(heads, own, evidence);
      if (note === null) return { isCompared: true };
      this.addUnequal(heads, own);
      return { isCompared: false, note };
    }
    this.addUnequal(heads, own);
    return { isCompared: true };
  }

  /** Compares each event with the tiles of the log. Returns the reason if that is not possible, else null. */
  private async compareTiles(heads: readonly SignedHead[], own: Roots, evidence: Evidence): Promise<string | null> {
    try {
      const tiles = await AuthenticTiles.open(this.head, evidence.tiles);
      const roots = new Map<number, Uint8Array>();
      for (const { size } of heads) if (size <= this.head.size) roots.set(size, await tiles.rootAt(size));
      const wrong = await this.wrongLeaves(tiles);
      this.addForks(heads, own, roots);
      await this.addAltered(wrong, evidence);
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof ForeignTilesError) this.findings.add({ verdict: 'forked_log', log: this.log, reason });
      return `The tiles of the log cannot be used: ${reason}`;
    }
  }

  /** Returns the roots of the events in the files, up to the first one that is not there: at sizes of checkpoints. */
  private ownRoots(heads: readonly SignedHead[]): Roots {
    const roots = new Map<number, Uint8Array>();
    const tree = new TiledTree();
    for (const { size } of heads) {
      for (let leaf; tree.size < size && (leaf = this.leaves.get(tree.size)) !== undefined;) tree.append(leaf);
      if (!roots.has(tree.size)) roots.set(tree.size, tree.root());
    }
    return roots;
  }

  /** Adds what differs, where the tiles do not say which event is altered. */
  private addUnequal(heads: readonly SignedHead[], own: Roots): void {
    const forked = this.addForks(heads, own);
    for (const variant of this.variants) this.addRepeat(variant);
    const intact = intactHead(heads, own)?.size ?? 0;
    const other = heads.find((head) => head.size > intact && own.has(head.size) && !isRootOf(own, head));
    if (other === undefined || forked.has(other)) return;
    const [first, last] = [this.sequenceOf(intact), this.sequenceOf(other.size - 1)];
    const which = first === last ? `event ${first} is` : `one or more of the events ${first} to ${last} are`;
    const reason = `${which} not what the log has, or the log has forked`;
    this.findings.add({ verdict: 'altered', log: this.log, reason });
  }

  /**
   * Adds each checkpoint that contradicts another one.
   * @param own roots of the events in the files
   * @param tiled roots of the tree of the checkpoint that counts, where they are known
   */
  private addForks(heads: readonly SignedHead[], own: Roots, tiled: Roots = new Map()): ReadonlySet<SignedHead> {
    const forked = new Set<SignedHead>();
    const intact = intactHead(heads, own);
    const bySize = new Map(heads.map((head) => [head.size, head]));
    const roots = [...heads.map(({ size, root }) => [size, root] as const), ...own];
    const byRoot = new Map(roots.map(([size, root]) => [toBase64(root), size]));
    for (const head of heads) {
      const { size, root, file, line } = head;
      let other = byRoot.get(toBase64(root)) ?? size;
      if (tiled.has(size) && !isRootOf(tiled, head)) other = this.head.size;
      else if (intact !== undefined && size <= intact.size && !isRootOf(own, head)) other = intact.size;
      else if (other === size && sameHash(bySize.get(size)?.root ?? root, root)) continue;
      forked.add(head);
      const reason = bySize.has(other)
        ? `two signed checkpoints, of ${size} and of ${counted(other, 'event')}, are not of one tree`
        : `the signed checkpoint of ${counted(size, 'event')} has the root of the first ${other} in the files`;
      this.findings.add({ verdict: 'forked_log', log: this.log, ...(file !== undefined && { file, line }), reason });
    }
    return forked;
  }

  /** Adds the events after the checkpoint whose index is not that of their sequence. */
  private addMisplaced(): void {
    if (this.offsets.size === 0) return;
    for (const [offset, { sequence, eventId: event_id, file, line }] of this.later) {
      if (offset === this.offset) continue;
      const reason = 'its index is not that of its sequence';
      this.findings.add({ verdict: 'altered', log: this.log, sequence, event_id, file, line, reason });
    }
  }

  /** Adds the sequences that are not in the files. Returns how many of them are erased, which is no finding. */
  private addMissing(named: ErasedIndexes, isAccountedFor: (number: EventNumber) => boolean): number {
    let run: { readonly first: number; readonly isErased: boolean } | null = null;
    let erased = 0;
    const { size } = this.head;
    const epoch = epochOf(this.log);
    for (let index = 0; index <= size; index += 1) {
      const isAbsent = index < size && this.leaves.get(index) === undefined;
      const isErased = isAbsent && named.has(index);
      const isMissing = isAbsent && (isErased || !isAccountedFor({ epoch, sequence: this.sequenceOf(index) }));
      if (isErased) erased += 1;
      if (run !== null && !(isMissing && isErased === run.isErased)) {
        this.addRun(run.first, index, run.isErased);
        run = null;
      }
      if (isMissing) run ??= { first: index, isErased };
    }
    return erased;
  }

  private addRun(start: number, end: number, isErased: boolean): void {
    const [sequence, last] = [this.sequenceOf(start), this.sequenceOf(end - 1)];
    if (isErased) {
      if (this.erased.length < MOST_ERASED) this.erased.push([sequence, last]);
      return;
    }
    const isEnd = end === this.head.size;
    const reason = isEnd ? 'the export ends before the checkpoint' : 'not in the export';
    const verdict = isEnd ? 'cut_at_the_end' : 'missing';
    this.findings.add({ verdict, log: this.log, sequence, last_sequence: last, reason });
  }

  private async wrongLeaves(tiles: AuthenticTiles): Promise<WrongLeaves> {
    const altered = new LeafStore();
    const absent: [index: number, hash: Uint8Array][] = [];
    const held: typeof absent = [];
    const suspected = new Set(this.variants.map(({ index }) => index));
    for (let tile = 0; tile * TILE_WIDTH < this.head.size; tile += 1) {
      if (!this.leaves.hasTile(tile)) continue;
      const hashes = await tiles.tile(0, tile);
      for (let at = 0; at * HASH_BYTES < hashes.length; at += 1) {
        const hash = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
        const index = tile * TILE_WIDTH + at;
        const leaf = this.leaves.get(index);
        if (leaf !== undefined && !suspected.has(index) && sameHash(leaf, hash)) continue;
        if (leaf !== undefined) altered.set(index, hash);
        const those = leaf === undefined ? absent : held;
        if (those.length < MOST_EXCHANGED) those.push([index, hash]);
      }
    }
    return { altered, first: [...held, ...absent].slice(0, MOST_EXCHANGED) };
  }

  /** Names the events whose leaf is not that of the log. */
  private async addAltered({ altered, first }: WrongLeaves, { readEvents }: Evidence): Promise<void> {
    if (altered.isEmpty) return;
    const intact = new LeafStore();
    const found: PlacedEvent[] = [];
    await readEvents((exported, place) => {
      const event = sealedEvent(exported);
      const hash = 'log' in event && event.log === this.log ? altered.get(event.index) : undefined;
      if (hash === undefined || !('log' in event)) return;
      if (sameHash(hash, event.leafHash)) intact.set(event.index, hash);
      else if (found.length < MOST_VARIANTS) found.push({ ...event, ...place });
    });
    const isRepeated = (index: number) => intact.get(index) !== undefined;
    const searched = new Set(found.toSorted((a, b) => a.index - b.index).slice(0, MOST_EXCHANGED));
    for (const event of found) {
      const other = searched.has(event) ? this.exchangedWith(event, first) : undefined;
      if (other !== undefined) this.addEvent('reordered', event, `the event of sequence ${this.sequenceOf(other)}`);
      else if (isRepeated(event.index)) this.addRepeat(event);
      else this.addEvent('altered', event, ALTERED);
    }
    const named = new Set(found.map(({ index }) => index));
    for (let index = 0; index < this.head.size; index += 1) {
      if (named.has(index) || altered.get(index) === undefined) continue;
      const [verdict, reason] = isRepeated(index)
        ? (['altered_repeat', REPEATED] as const)
        : (['altered', ALTERED] as const);
      this.findings.add({ verdict, log: this.log, sequence: this.sequenceOf(index), reason });
    }
  }

  /** Returns the index of a leaf that an event has with the sequence of that leaf. */
  private exchangedWith(
    { index, isBackfill, commitment }: PlacedEvent,
    leaves: WrongLeaves['first'],
  ): number | undefined {
    const isOf = ([at, hash]: WrongLeaves['first'][number]) => {
      const sequence = this.sequenceOf(at);
      return at !== index && sameHash(hashLeaf(leafData({ sequence, isBackfill, commitment })), hash);
    };
    return leaves.find(isOf)?.[0];
  }

  private addRepeat(event: NamedEvent): void {
    this.addEvent('altered_repeat', event, REPEATED);
  }

  private addEvent(verdict: 'altered' | 'altered_repeat' | 'reordered', event: NamedEvent, reason: string): void {
    const { index, eventId, file, line } = event;
    const sequence = this.sequenceOf(index);
    this.findings.add({ verdict, log: this.log, sequence, event_id: eventId, file, line, reason });
  }

  private sequenceOf(index: number): number {
    return index + this.offset;
  }
}

/** Returns whether a tree has the root that a checkpoint states. */
function isRootOf(roots: Roots, { size, root }: TreeHead): boolean {
  return sameHash(roots.get(size) ?? new Uint8Array(), root);
}

/** Returns the largest checkpoint whose root the events in the files have. */
function intactHead(heads: readonly SignedHead[], own: Roots): SignedHead | undefined {
  return heads.findLast((head) => isRootOf(own, head));
}
