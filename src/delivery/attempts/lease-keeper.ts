import { elapsedSince, thisMoment, type Moment } from '../../timing/moment.js';
import type { LaneStore } from '../lanes/lane-store.js';
import type { Lease } from '../lanes/lane.js';
import { checkBeforeEachCall } from './checked-signal.js';

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
  /** When the lease was requested or renewed: it lasts at least LEASE_MS from then. */
  private leasedAt: Moment;
  private abortTimer: NodeJS.Timeout | undefined;
  private stopped = false;

  /**
   * @param requestedAt when the lease was requested
   * @param call aborted when the lease is lost, or shortly before it expires. Its signal compares the clock with the
   * lease whenever it is asked.
   */
  constructor(
    private readonly lanes: Pick<LaneStore, 'renew'>,
    private readonly lease: Lease,
    requestedAt: Moment,
    private readonly call: AbortController,
  ) {
    this.leasedAt = requestedAt;
    checkBeforeEachCall(call, () => this.timeLeft() <= 0);
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
    const left = this.timeLeft();
    if (left > 0) return setTimeout(() => this.call.abort(), left);
    // At once: a timer would fire after the call has started.
    this.call.abort();
    return undefined;
  }

  /** The time in which a call may begin, in milliseconds. */
  private timeLeft(): number {
    return LEASE_MS - ABORT_MARGIN_MS - elapsedSince(this.leasedAt);
  }

  private async renew(): Promise<void> {
    const requestedAt = thisMoment();
    try {
      if (!(await this.lanes.renew(this.lease, LEASE_MS))) {
        this.call.abort();
        return;
      }
    } catch {
      // Postgres is unavailable. The next renewal may succeed; otherwise the timer aborts the call.
      return;
    }
    if (this.stopped || requestedAt.monotonicMs <= this.leasedAt.monotonicMs) return;
    this.leasedAt = requestedAt;
    clearTimeout(this.abortTimer);
    this.abortTimer = this.abortBeforeExpiry();
  }
}
