import { publishingLimits } from '../generated/publishing-limits.js';
import type { Answer } from './answer.js';
import { Backoff } from './backoff.js';
import { describeDatabaseError } from './database-error.js';
import type { Lease } from './lease.js';
import type { Publisher } from './publisher.js';
import { rejectionsOf } from './rejections.js';
import type { RelaySettings } from './relay-options.js';
import type { SettlementStore } from './settlement-store.js';
import type { StatusStore } from './status-store.js';
import type { Look, SendableEvent, WaitingEventsStore } from './waiting-events-store.js';
import type { Wake } from './wake.js';

/** Most bytes of the events of a request. The body around the events needs some. */
const MOST_BYTES = publishingLimits.mostBatchBytes - 64;
/** Events that an application cannot have added in the usual way are found this late, in milliseconds. */
const REWIND_MS = 60_000;
/** First wait for transactions that must end, in milliseconds. It doubles up to the longest one. */
const SETTLE_MS = 10;
/** Longest wait for transactions that must end, in milliseconds. */
const LONGEST_SETTLE_MS = 1_000;
/** Longest time of a turn without its pause and its request, in milliseconds. Waybill asks for shorter waits. */
const LONGEST_TURN_MS = 600_000;
/** Time until the log names the transaction that delays events, and between two such lines, in milliseconds. */
const DELAY_REPORT_MS = 30_000;

/** Whether a relay works. */
export interface RelayHealth {
  /** Whether it makes progress. Otherwise, its process must be restarted. */
  readonly live: boolean;
  /** Why it cannot publish, or is not known to be able to; null if it can, or if another relay publishes. */
  readonly notReady: string | null;
  /** Whether it is the relay that publishes. */
  readonly publishes: boolean;
}

/** Parts of a relay. */
export interface RelayParts {
  readonly settings: RelaySettings;
  readonly events: WaitingEventsStore;
  readonly settlement: SettlementStore;
  readonly status: StatusStore;
  /** Throws if the outbox has another version than this package needs. */
  readonly checkSchema: () => Promise<void>;
  readonly lease: Lease;
  readonly publisher: Publisher;
  /** Ends a pause for new events. */
  readonly news: Wake;
  /** Ends any pause, at the stop. */
  readonly stopping: Wake;
}

/**
 * Publishes what waits, one batch after the other, while it has the lease. All that it keeps in memory can be lost:
 * each turn begins with a look at the outbox, and a batch without a clear answer is still there.
 */
export class RelayLoop {
  /**
   * Lowest position that a row can have. Postgres keeps deleted rows for as long as an old snapshot could see them:
   * without a floor, each look would step over all of them.
   */
  private floor = 0n;
  private readonly backoff = new Backoff();
  private readonly databaseBackoff = new Backoff();
  private rewinds = '';
  private rewoundAt = 0;
  /** Most events of the next batch: fewer while it is unknown which event is refused. */
  private mostEvents: number;
  private settleMs = SETTLE_MS;
  private unsettledSince: number | null = null;
  private led = false;
  private turnAt = performance.now();
  private databaseProblem: string | null = 'The relay has not used the database yet.';
  private publishProblem: string | null = null;
  private stopped = false;

  constructor(private readonly parts: RelayParts) {
    this.mostEvents = parts.settings.batchSize;
  }

  /** Lowest position of an event that may wait. */
  get floorPosition(): bigint {
    return this.floor;
  }

  get health(): RelayHealth {
    const { pollIntervalMs, requestTimeoutMs } = this.parts.settings;
    return {
      live: performance.now() - this.turnAt < LONGEST_TURN_MS + pollIntervalMs + requestTimeoutMs,
      notReady: this.databaseProblem ?? this.publishProblem,
      publishes: this.led && this.parts.lease.isHeld,
    };
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const { logger } = this.parts.settings;
    while (!this.stopped) {
      this.turnAt = performance.now();
      try {
        await this.turn();
        this.databaseBackoff.reset();
      } catch (error) {
        // The database that answers next may be a standby that lacks the last positions.
        this.rewind();
        const waitMs = Math.round(this.databaseBackoff.next());
        this.databaseProblem = describeDatabaseError(error);
        logger.warn({ reason: this.databaseProblem, waitMs }, 'outbox database is not usable');
        await this.parts.stopping.wait(waitMs);
      }
    }
    await this.parts.lease.release().catch((error: unknown) => {
      logger.warn({ reason: describeDatabaseError(error) }, 'outbox relay could not give up its lease');
    });
  }

  /** Ends the loop after the request in flight. */
  stop(): void {
    this.stopped = true;
    this.parts.news.call();
    this.parts.stopping.call();
  }

  private async turn(): Promise<void> {
    const leads = await this.leads();
    this.databaseProblem = null;
    // Another relay knows whether Waybill accepts events.
    if (!leads) this.publishProblem = null;
    if (!leads) return this.pause(this.parts.settings.pollIntervalMs);
    const look = await this.look();
    const [first] = look.batch;
    // The lease may have run out during a pause of the process.
    if (first && this.parts.lease.isHeld) await this.publish(look.batch);
    else if (!first && !look.unmarked) await this.idle(look);
  }

  /** Returns whether this relay has the lease. */
  private async leads(): Promise<boolean> {
    const { lease, settings } = this.parts;
    if (this.led && lease.isHeld) return true;
    await this.parts.checkSchema();
    const led = await lease.take();
    if (led && !this.led) {
      settings.logger.info({ holder: lease.holder }, 'outbox relay publishes');
      this.rewind();
      for (const rejected of await this.parts.status.rejectedTypes())
        settings.logger.warn({ ...rejected }, 'outbox has rejected events of a type');
    } else if (!led && this.led)
      settings.logger.info({ holder: lease.holder }, 'outbox relay waits: another one publishes');
    this.led = led;
    return led;
  }

  private async look(): Promise<Look> {
    const { events } = this.parts;
    if (performance.now() - this.rewoundAt > REWIND_MS) this.rewind();
    const { floor } = this;
    const look = await events.look({ floor, mostEvents: this.mostEvents, mostBytes: MOST_BYTES });
    if (look.rewinds !== this.rewinds || floor > look.last + 1n) {
      // An operator retried or discarded a rejected event, or positions repeat after a failover or a restore. There are
      // rows below the floor: they precede this batch.
      this.rewinds = look.rewinds;
      this.rewind();
      if (floor > 0n) return this.look();
    }
    this.floor = look.floor;
    if (look.unmarked) await events.markHeld(floor);
    return look;
  }

  private rewind(): void {
    this.floor = 0n;
    this.rewoundAt = performance.now();
  }

  /** Waits for news, or shortly where committed events wait for the end of other transactions. */
  private async idle({ unsettled }: Look): Promise<void> {
    const { pollIntervalMs } = this.parts.settings;
    if (!unsettled) {
      this.settleMs = SETTLE_MS;
      this.unsettledSince = null;
      return this.pause(pollIntervalMs);
    }
    await this.reportDelay();
    // A notification does not end this wait: events of other commits wait for the same transactions.
    if (!this.stopped) await this.parts.stopping.wait(Math.min(this.settleMs, pollIntervalMs));
    this.settleMs = Math.min(this.settleMs * 2, LONGEST_SETTLE_MS);
  }

  /** Logs which transaction delays the events. */
  private async reportDelay(): Promise<void> {
    const now = performance.now();
    this.unsettledSince ??= now;
    if (now - this.unsettledSince < DELAY_REPORT_MS) return;
    this.unsettledSince = now;
    const waitingFor = await this.parts.status.waitingFor();
    this.parts.settings.logger.warn({ ...waitingFor }, 'outbox events wait for an open transaction');
  }

  private pause(ms: number): Promise<void> {
    return this.stopped ? Promise.resolve() : this.parts.news.wait(ms);
  }

  private async publish(batch: readonly SendableEvent[]): Promise<void> {
    const answer = this.withoutPrincipal(batch) ?? (await this.parts.publisher.publish(batch));
    switch (answer.kind) {
      case 'accepted':
        return this.accept(batch);
      case 'events_refused':
      case 'batch_refused':
        return this.refuse(batch, answer);
      case 'unavailable':
        if (answer.tooSlow) this.shrink(batch);
        return this.retryLater(answer);
      case 'misconfigured':
        return this.retryLater(answer);
    }
  }

  /** Returns a refusal of the events that do not say who made the change, if the settings require it; null for none. */
  private withoutPrincipal(batch: readonly SendableEvent[]): Answer | null {
    if (!this.parts.settings.requirePrincipal || batch.every(({ hasPrincipal }) => hasPrincipal)) return null;
    const error = { pointer: '/principal', detail: 'is missing, and the relay requires it' };
    const events = new Map(
      batch.flatMap(({ hasPrincipal }, index) => (hasPrincipal ? [] : [[index, [error]] as const])),
    );
    return { kind: 'events_refused', status: null, errorCode: 'principal_missing', events };
  }

  private async accept(batch: readonly SendableEvent[]): Promise<void> {
    await this.parts.settlement.accept(batch);
    this.publishProblem = null;
    this.backoff.reset();
    this.settleMs = SETTLE_MS;
    this.unsettledSince = null;
    this.mostEvents = Math.min(this.parts.settings.batchSize, this.mostEvents * 2);
    this.parts.settings.logger.debug({ events: batch.length }, 'outbox batch accepted');
  }

  private async refuse(
    batch: readonly SendableEvent[],
    answer: Extract<Answer, { kind: 'events_refused' | 'batch_refused' }>,
  ): Promise<void> {
    const { settlement, settings } = this.parts;
    if (answer.kind === 'batch_refused') {
      if (batch.length > 1) return this.shrink(batch);
      // Only Waybill decides that an event cannot be published.
      if (answer.errorCode === 'http_413')
        return this.retryLater({
          kind: 'misconfigured',
          detail: `${answer.detail}. A proxy in front of Waybill refuses an event of normal size`,
          retryAfterMs: 0,
        });
    }
    const rejections = rejectionsOf(batch, answer, settings.afterRejection === 'hold');
    await settlement.reject(rejections);
    this.publishProblem = null;
    this.backoff.reset();
    for (const { event, errorCode, reason, holds } of rejections) {
      const { eventId, type, resourceId } = event;
      settings.logger.warn({ eventId, type, resourceId, errorCode, reason, holds }, 'outbox event rejected');
    }
  }

  private shrink(batch: readonly SendableEvent[]): void {
    this.mostEvents = Math.max(1, Math.ceil(batch.length / 2));
  }

  private async retryLater(answer: Extract<Answer, { kind: 'unavailable' | 'misconfigured' }>): Promise<void> {
    const { settlement, settings, stopping } = this.parts;
    const waitMs = Math.round(this.backoff.next(answer.retryAfterMs));
    const fields = { reason: answer.detail, attempt: this.backoff.count, waitMs };
    if (answer.kind === 'unavailable') settings.logger.warn(fields, 'outbox batch will be sent again');
    else settings.logger.error(fields, 'outbox relay cannot publish: check its settings');
    this.publishProblem = answer.detail;
    await settlement.failed(answer.detail).catch(() => {});
    if (!this.stopped) await stopping.wait(waitMs);
  }
}
