/** How jobs of failing destinations are admitted. */
export interface AdmissionLimits {
  /** Most jobs that run at once. */
  readonly most: number;
  /** How long a job may last: DELIVERY_SEND_TIMEOUT_MS. */
  readonly longestMs: number;
}

/** Part of the jobs that may begin at the same moment. */
const BEGINNING_SHARE = 0.1;
const LEAST_BEGINNING = 4;

/** How often jobs ask for each admission. More than once, so that a job asks soon after another one ended. */
const ASKS_PER_ADMISSION = 3;

/** Longest mean wait of a refused job, in milliseconds: less than the longest backoff of a destination. */
const LONGEST_WAIT_MS = 180_000;

/**
 * Admits jobs of failing destinations. Calls that begin together end together, at their timeout, and all of them record
 * their results then. So only a part of the jobs may begin in the same part of a timeout. A job that ends early admits
 * the next one at once: destinations that respond with an error are tried as fast as they fail.
 */
export class FailingAdmissions {
  private running = 0;
  private beginning = 0;
  /** Refused jobs that wait. */
  private waiting = 0;
  private readonly mostBeginning: number;
  private readonly beginningMs: number;

  constructor(private readonly limits: AdmissionLimits) {
    const { most, longestMs } = limits;
    this.mostBeginning = Math.max(LEAST_BEGINNING, Math.ceil(most * BEGINNING_SHARE));
    this.beginningMs = (longestMs * this.mostBeginning) / Math.max(most, this.mostBeginning);
  }

  /** Whether a job may be admitted now. */
  get isOpen(): boolean {
    return this.running < this.limits.most && this.beginning < this.mostBeginning;
  }

  /** Admits a job while `isOpen`. Returns the function that reports its end. */
  admit(): () => void {
    this.running += 1;
    this.beginning += 1;
    let begins = true;
    const begun = () => {
      if (begins) this.beginning -= 1;
      begins = false;
    };
    const timer = setTimeout(begun, this.beginningMs).unref();
    return () => {
      clearTimeout(timer);
      begun();
      this.running -= 1;
    };
  }

  /**
   * Returns how long a refused job should wait, in milliseconds: the longer, the more jobs wait, so that all of them
   * ask a few times for each admission. Up to a half shorter or longer at random, so that they do not return together.
   */
  waitMs(random: () => number = Math.random): number {
    const turnMs = this.beginningMs / this.mostBeginning;
    const mean = Math.max(this.beginningMs, ((this.waiting + 1) * turnMs) / ASKS_PER_ADMISSION);
    return Math.min(mean, LONGEST_WAIT_MS) * (0.5 + random());
  }

  /** Reports that a refused job waits so many milliseconds. */
  refused(ms: number): void {
    this.waiting += 1;
    setTimeout(() => {
      this.waiting -= 1;
    }, ms).unref();
  }
}
