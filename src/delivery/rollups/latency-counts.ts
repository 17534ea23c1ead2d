/** Buckets for each doubling of a latency: a value that is read from a bucket is at most 10 % off. */
const BUCKETS_PER_DOUBLING = 4;

/** The bucket of everything above: 2^40 ms are 34 years. */
const LAST_BUCKET = 40 * BUCKETS_PER_DOUBLING;

/** A bucket, and how many latencies are in it. */
export type BucketCount = readonly [bucket: number, count: number];

/**
 * Returns the bucket of a latency. Bucket 0 has those below 1 ms; bucket `b` has those from 2^((b - 1) / 4) to below
 * 2^(b / 4) ms.
 * @param ms in milliseconds; what is negative, by a clock that was set back, counts as 0
 */
function bucketOf(ms: number): number {
  if (!(ms >= 1)) return 0;
  return Math.min(LAST_BUCKET, 1 + Math.floor(BUCKETS_PER_DOUBLING * Math.log2(ms)));
}

/**
 * Returns the latency that stands for a bucket, in milliseconds, in hundredths: the geometric middle of its bounds,
 * which is at most 10 % off. 0.5 for the latencies below 1 ms.
 */
function latencyOf(bucket: number): number {
  if (bucket === 0) return 0.5;
  return Math.round(100 * 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING)) / 100;
}

/** Counts latencies by bucket. The counts of two sets of latencies add up to the counts of both together. */
export class LatencyCounts {
  private readonly counts = new Map<number, number>();

  /** Counts one latency, in milliseconds. */
  add(ms: number): void {
    this.addTo(bucketOf(ms), 1);
  }

  /** Adds other counts. */
  merge(others: readonly BucketCount[]): void {
    for (const [bucket, count] of others) this.addTo(bucket, count);
  }

  /** The buckets that are not empty, in order. */
  toArray(): readonly BucketCount[] {
    return [...this.counts].toSorted(([a], [b]) => a - b);
  }

  /**
   * Returns the latency that a share of all does not exceed, in milliseconds, at most 10 % off; null without latencies.
   * @param share above 0, at most 1
   */
  quantile(share: number): number | null {
    const buckets = this.toArray();
    const total = buckets.reduce((sum, [, count]) => sum + count, 0);
    let upTo = 0;
    for (const [bucket, count] of buckets) {
      upTo += count;
      if (upTo >= share * total) return latencyOf(bucket);
    }
    return null;
  }

  private addTo(bucket: number, count: number): void {
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + count);
  }
}

/** Counts as an array of pairs in Postgres's notation. */
export function pairArray(counts: readonly BucketCount[]): string {
  return `{${counts.map(([bucket, count]) => `{${bucket},${count}}`).join(',')}}`;
}
