import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeaseStore } from './lease-store.js';

/** Renewals within one lease: two of them may fail. */
const RENEWALS = 3;

/** The right to publish, renewed by a timer. Two holders at once do no harm: ids make their requests repetitions. */
export class Lease {
  /** Shown by `status`: the host, the process, and a number for each relay of the process. */
  readonly holder = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  private until = 0;
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: LeaseStore,
    private readonly ms: number,
  ) {}

  /** Whether the lease was renewed in time. Counted from before the statement, so it ends here before it ends there. */
  get isHeld(): boolean {
    return Date.now() < this.until;
  }

  /** Takes the lease, and renews it from then on. Returns whether this relay has it. */
  async take(): Promise<boolean> {
    const taken = await this.renew();
    if (taken) this.timer ??= setInterval(() => this.renewInBackground(), this.ms / RENEWALS);
    else this.stopRenewing();
    return taken;
  }

  /** Gives the lease up, so that another relay can take it at once. */
  async release(): Promise<void> {
    this.stopRenewing();
    // A renewal after the release would take the lease again.
    await this.renewing;
    this.until = 0;
    await this.store.release(this.holder);
  }

  private stopRenewing(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async renew(): Promise<boolean> {
    const begun = Date.now();
    const held = await this.store.take(this.holder, this.ms);
    this.until = held ? begun + this.ms : 0;
    return held;
  }

  /** A renewal that fails leaves the lease as it is: the loop finds that it ran out. */
  private renewInBackground(): void {
    this.renewing = this.renew().catch(() => {});
  }
}
