import type { LaneStore } from '../lanes/lane-store.js';
import type { Lease } from '../lanes/lane.js';

/**
 * How long a lease lasts unless it is renewed, in milliseconds. When a worker dies, its batches wait that long for
 * another attempt. A worker that cannot renew a lease aborts its call before then.
 */
export const LEASE_MS = 15_000;

/**
 * How long before the end of a lease its call is aborted, in milliseconds: the time a call may take to stop (GRACE_MS),
 * and a reserve.
 */
const ABORT_MARGIN_MS = 3_000;

/** Renews the lease of one attempt while the attempt is being made. */
export class LeaseKeeper {
  private readonly timer: NodeJS.Timeout;
  private expiresAt: number;
  private abortTimer: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param requestedAt when the lease was requested, by `performance.now()`: it lasts at least LEASE_MS from then
   * @param call aborted when the lease is lost, or shortly before it expires
   */
  constructor(
    private readonly lanes: Pick<LaneStore, 'renew'>,
    private readonly lease: Lease,
    requestedAt: number,
    private readonly call: AbortController,
  ) {
    this.expiresAt = requestedAt + LEASE_MS;
    this.abortTimer = this.abortBeforeExpiry();
    this.timer = setInterval(() => void this.renew(), LEASE_MS / 5);
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.abortTimer);
  }

  /** A failed renewal reports too late; a hung one never reports. Hence a separate timer. */
  private abortBeforeExpiry(): NodeJS.Timeout | undefined {
    const left = this.expiresAt - ABORT_MARGIN_MS - performance.now();
    if (left > 0) return setTimeout(() => this.call.abort(), left);
    // At once: a timer would fire after the call has started.
    this.call.abort();
    return undefined;
  }

  private async renew(): Promise<void> {
    const requestedAt = performance.now();
    try {
      if (!(await this.lanes.renew(this.lease, LEASE_MS))) {
        this.call.abort();
        return;
      }
    } catch {
      // Postgres is unavailable. The next renewal may succeed; otherwise the timer aborts the call.
      return;
    }
    if (this.stopped || requestedAt + LEASE_MS <= this.expiresAt) return;
    this.expiresAt = requestedAt + LEASE_MS;
    clearTimeout(this.abortTimer);
    this.abortTimer = this.abortBeforeExpiry();
  }
}
