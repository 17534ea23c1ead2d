import { randomInt } from 'node:crypto';
import { assert } from 'vitest';
import type { BatchDelivery } from '../../../../src/delivery/lanes/batch-store.js';
import type { Lease } from '../../../../src/delivery/lanes/lane.js';
import type { SeededDestination } from '../seed.js';
import type { SentAttempt } from './call-fates.js';
import { Consumer, type Change } from './consumer.js';
import { RecordedQueues } from './recorded-queues.js';

/** An attempt as the worker that makes it knows it. */
export interface Attempt {
  readonly lane: ModelLane;
  readonly lease: Lease;
  readonly deliveries: readonly BatchDelivery[];
  /** Null until its calls were made. */
  sent: SentAttempt | null;
  /** Whether it may send: its lease has not ended, and it is not over. */
  isLive: boolean;
  /** Whether it was recorded or given back; a worker may still repeat that. */
  isOver: boolean;
  /** Whether its process died, as far as jobs and wake-ups go: a write that was under way may still arrive. */
  isAbandoned: boolean;
  /** What is claimed behind its batch. */
  behind: Behind | null;
  /** The attempt that is sent while this one is recorded. */
  successor: Attempt | null;
  /** The attempt that is recorded while this one is sent; null when it is recorded. */
  unrecorded: Attempt | null;
  /** Whether a statement of its job is under way, which the job awaits before its next one. */
  isBusy: boolean;
}

/** A claim behind a batch; without a lease when none was claimed, or its response was lost. */
export interface Behind {
  readonly next: Lease | null;
}

/** What a process still does for a lane after a commit or a settlement, unless the process dies. */
export type FollowUp = 'notify' | 'dispatch';

/** What the processes of the model know of a lane, and its consumer. */
export class ModelLane {
  readonly consumer = new Consumer();
  /** The committed changes, those of a resource in their order. */
  readonly changes: Change[] = [];
  readonly attempts: Attempt[] = [];
  /** The batches of the lane, oldest first. */
  readonly batchIds: string[] = [];
  followUps: FollowUp[] = [];
  /** Whether only the sweeper wakes the lane: a process died before it did so, or the lane waited in backoff. */
  needsSweeper = false;
  /** The change of the destination that is under way: the lock of the resource admits one at a time. */
  change: 'pause' | 'unpause' | null = null;
  /** Whether a deadline passed while the lane was not paused: otherwise nothing expires. */
  mayExpire = false;
  private committedPause: ModelPause | null = null;
  /** The presence that the tokens of its attempts name. */
  readonly presenceId = randomInt(1, 2 ** 31);

  constructor(readonly destination: SeededDestination) {}

  get id(): string {
    return this.destination.id;
  }

  /** The pause that holds for sure; null while the lane may be running. */
  get pause(): ModelPause | null {
    return this.change === null ? this.committedPause : null;
  }

  /** Notes that a change of the destination is done. */
  changed(): void {
    this.committedPause = this.change === 'pause' ? { batch: null } : null;
    this.change = null;
  }

  /** Returns a check for the end of an operation that begins now: the lane was not paused all the time. */
  pauseGuard(): (what: string) => void {
    const { pause } = this;
    return (what) => {
      if (pause !== null) assert.notStrictEqual(this.pause, pause, `${what} in a paused lane`);
    };
  }

  /** Adds an attempt whose lease was just granted. */
  granted(lease: Lease, deliveries: readonly BatchDelivery[]): Attempt {
    const begun = { sent: null, isLive: true, isOver: false, isAbandoned: false, isBusy: false };
    const attempt = { lane: this, lease, deliveries, ...begun, behind: null, successor: null, unrecorded: null };
    this.attempts.push(attempt);
    this.knows(lease.batchId);
    return attempt;
  }

  knows(batchId: string): void {
    if (!this.batchIds.includes(batchId)) this.batchIds.push(batchId);
  }

  /** Whether a later lease of the lane is known: the attempt must not write any more. */
  isSuperseded(attempt: Attempt): boolean {
    return attempt !== this.attempts.at(-1);
  }
}

/** A pause that is committed, and whose end has not begun. */
export interface ModelPause {
  /** The deliveries of the lane's batch at the pause: only these may stay in it. Null until nothing was under way. */
  batch: ReadonlySet<string> | null;
}

/** A transaction of a writer that is open. */
export interface Writer {
  readonly resource: string;
  readonly lanes: readonly ModelLane[];
  readonly changes: readonly Change[];
  /** Ends the transaction. */
  readonly end: (commits: boolean) => Promise<void>;
}

/** What the model knows without the database: commands decide by it whether they can run. */
export class Ledger {
  readonly writers: Writer[] = [];
  /** What was done, for the report of a failed run. */
  readonly trace: string[] = [];
  readonly queues = new RecordedQueues();
  /** Operations under way. */
  operations = 0;
  /** Operations that were started. */
  started = 0;

  constructor(readonly lanes: readonly ModelLane[]) {}

  get attempts(): readonly Attempt[] {
    return this.lanes.flatMap(({ attempts }) => attempts);
  }

  /** Returns the batches of a lane that have a job. */
  jobsOf({ id }: ModelLane): readonly string[] {
    const jobs = [...this.queues.jobs.values()];
    return jobs.filter(({ destinationId }) => destinationId === id).map(({ batchId }) => batchId);
  }

  note(line: string): void {
    this.trace.push(line);
  }
}
