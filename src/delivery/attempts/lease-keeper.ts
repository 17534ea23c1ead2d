import type { Lease } from '../lanes/lane.js';
import type { LaneStore } from '../lanes/lane-store.js';

/**
 * How long a lease lasts unless it is renewed, in milliseconds. A worker that dies in the middle of a batch keeps it from
 * others for so long; a worker that cannot renew for nearly so long ends its call, for another may begin.
 */
export const LEASE_MS = 15_000;

/** How long before the end of a lease its call is ended, in milliseconds: what the call may take to notice, and some to spare. */
const MARGIN_MS = 3_000;

/** Renews the lease of one attempt while it is being made. */
export class LeaseKeeper {
  private readonly timer: NodeJS.Timeout;
  private until: number;
  private end: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param requestedAt when the lease was asked for, as `performance.now()` says: it lasts at least LEASE_MS from there
   * @param call aborted when the lease is lost, or shortly before it runs out
   */
  constructor(
    private readonly lanes: Pick<LaneStore, 'renew'>,
    private readonly lease: Lease,
    requestedAt: number,
    private readonly call: AbortController,
  ) {
    this.until = requestedAt + LEASE_MS;
    this.end = this.endInTime();
    this.timer = setInterval(() => void this.renew(), LEASE_MS / 5);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.end);
  }

  /** A timer of its own: a renewal that fails says so too late, and one that gets no answer never. */
  private endInTime(): NodeJS.Timeout | undefined {
    const left = this.until - MARGIN_MS - performance.now();
    if (left > 0) return setTimeout(() => this.call.abort(), left);
    // A timer would fire after the call had begun.
    this.call.abort();
    return undefined;
  }

  private async renew(): Promise<void> {
    const asked = performance.now();
    try {
      if (!(await this.lanes.renew(this.lease, LEASE_MS))) {
        this.call.abort();
        return;
      }
    } catch {
      // Postgres is away. The next renewal may reach it; if none does, the call is ended in time.
      return;
    }
    if (this.stopped || asked + LEASE_MS <= this.until) return;
    this.until = asked + LEASE_MS;
    clearTimeout(this.end);
    this.end = this.endInTime();
  }
}
