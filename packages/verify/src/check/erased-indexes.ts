import type { ErasureRecord } from '../log/erasure-record.js';
import type { LeafRange } from '../log/proofs.js';

/** The indexes of a log that erasure records name. */
export class ErasedIndexes {
  /** Ascending; none touches the next one. */
  private readonly ranges: LeafRange[] = [];

  constructor(records: readonly ErasureRecord[]) {
    const all = records.flatMap(({ ranges }) => ranges).toSorted(([a], [b]) => a - b);
    for (const [start, end] of all) {
      const last = this.ranges.at(-1);
      if (last !== undefined && start <= last[1]) this.ranges.splice(-1, 1, [last[0], Math.max(last[1], end)]);
      else this.ranges.push([start, end]);
    }
  }

  /** Returns whether a record names an index. */
  has(index: number): boolean {
    let [low, high] = [0, this.ranges.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.ranges[middle]?.[1] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return index >= (this.ranges[low]?.[0] ?? Infinity);
  }

  /** Returns how many indexes below a size are named. */
  countBelow(size: number): number {
    return this.ranges.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, size) - start), 0);
  }
}
