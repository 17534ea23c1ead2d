import { setTimeout as sleep } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '../database/database.js';
import type { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { readPause } from '../delivery/lanes/recorded-pause.js';
import type { EventRecorder } from '../events/fan-out/event-recorder.js';
import type { RequestContext } from '../http/request/request-context.js';
import { notFound, Problem } from '../problems/problem.js';
import type { Representation } from '../resources/framework/service/representation.js';
import type { ResourceService } from '../resources/framework/service/resource-service.js';
import { INTERRUPTED } from '../targets/connection-errors.js';
import { deliverySchema, toDeliveryResponse } from './deliveries/view/delivery-response.js';
import type { DeliveryViewStore } from './deliveries/view/delivery-view-store.js';
import type { DeliveryView } from './deliveries/view/delivery-view.js';
import { destinationStatus, toStatusResponse } from './status/destination-status.js';
import { MAX_COUNTED, type LaneView, type LaneViewStore } from './status/lane-view-store.js';

/** Longest wait of a test for an outcome, in milliseconds. */
export const TEST_WAIT_MS = 15_000;

/** First and longest interval between two polls of the delivery, in milliseconds. Each interval doubles. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 1_000;

/** Response of a test of a destination. */
export const destinationTest = z
  .object({
    verdict: z.enum(['delivered', 'retry', 'misconfigured', 'rejected']).nullable().meta({
      description:
        'Outcome of the test event. `retry`: the attempt failed for a temporary reason. `misconfigured`: the attempt failed because of the configuration of the destination. Both are retried. Null: there is no outcome yet; `ahead` and `status` say why.',
    }),
    message: z.string().meta({ description: 'The outcome in one sentence.' }),
    ahead: z.int().meta({
      description: `Number of events that are delivered before the test event. Counted up to ${MAX_COUNTED}.`,
    }),
    ahead_is_lower_bound: z.boolean().meta({ description: 'Whether the real number is higher than `ahead`.' }),
    delivery: deliverySchema,
    status: destinationStatus,
  })
  .meta({ id: 'EventDestinationTest' });

export type DestinationTest = z.infer<typeof destinationTest>;

/** Dependencies of DestinationTests. */
export interface DestinationTestsParts {
  readonly db: Database;
  readonly recorder: EventRecorder;
  readonly dispatcher: Dispatcher;
  readonly destinations: Pick<ResourceService, 'getLocked'>;
  readonly views: DeliveryViewStore;
  readonly lanes: LaneViewStore;
  /** Longest wait for an outcome, in milliseconds. Default: TEST_WAIT_MS. */
  readonly waitMs?: number;
}

/** Tests destinations with an event through the normal pipeline (docs/decisions/destinations.md). */
export class DestinationTests implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(private readonly parts: DestinationTestsParts) {}

  /** Ends the wait of running tests, so that they do not delay the shutdown. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /**
   * Sends a test event to a destination and waits for its outcome, at most `waitMs`.
   * @returns the outcome; null as `verdict` when there is none in time
   * @throws Problem `not_found` when there is no such destination, `destination_paused` while it is paused
   */
  async run(context: RequestContext, id: string): Promise<DestinationTest> {
    const { db, recorder, dispatcher, destinations, lanes } = this.parts;
    const { eventId, deliveryId } = await db.transaction().execute(async (trx) => {
      // Locked: the event has the state after each change before it, and no deleted or paused destination gets one.
      const destination = await destinations.getLocked(trx, context, id);
      refusePaused(destination.body);
      return recorder.recordTest(trx, context, destination);
    });
    await dispatcher.resume(id);
    await this.waitForVerdict(context, id, eventId);
    const { delivery, lane } = await this.progress(context, id, eventId);
    const verdict = verdictOn(delivery);
    const ahead = verdict === null ? await lanes.countAhead(id, deliveryId) : NONE_AHEAD;
    return {
      verdict,
      message: verdictMessage(delivery, verdict, ahead.count, lane),
      ahead: ahead.count,
      ahead_is_lower_bound: ahead.isLowerBound,
      delivery: toDeliveryResponse(delivery),
      status: toStatusResponse(lane, context.baseUrl),
    };
  }

  /**
   * Waits for a verdict until the deadline, the shutdown, a pause, a backoff that ends after the deadline, or until the
   * client is gone.
   */
  private async waitForVerdict(context: RequestContext, destinationId: string, eventId: string): Promise<void> {
    const until = performance.now() + (this.parts.waitMs ?? TEST_WAIT_MS);
    const { signal } = this.stopping;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
      const { delivery, lane } = await this.progress(context, destinationId, eventId);
      const left = until - performance.now();
      if (verdictOn(delivery) !== null || lane.state === 'paused' || left <= 0 || signal.aborted) return;
      if (context.turn?.hasEnded) return;
      // The lane was resumed, so this backoff is new: an earlier event failed, and a longer wait is useless.
      const { nextAttemptAt } = lane;
      if (nextAttemptAt !== null && nextAttemptAt.getTime() - Date.now() > left) return;
      context.turn?.rest();
      await sleep(Math.min(wait, left), undefined, { signal }).catch(() => undefined);
      await context.turn?.again();
    }
  }

  /** The delivery and the lane of a test. The lane is read last, so it is at least as recent. */
  private async progress(
    { accountId }: RequestContext,
    destinationId: string,
    eventId: string,
  ): Promise<{ readonly delivery: DeliveryView; readonly lane: LaneView }> {
    const delivery = await this.parts.views.find(accountId, destinationId, eventId);
    const lane = await this.parts.lanes.find(accountId, destinationId);
    if (!lane || !delivery) throw notFound('event destination', destinationId);
    return { delivery, lane };
  }
}

/** @throws Problem `destination_paused` */
function refusePaused({ id, paused }: Representation): void {
  if (readPause(paused) === null) return;
  const detail = `The event destination ${id} is paused, so no test event is sent. End the pause first.`;
  throw new Problem('destination_paused', detail);
}

const NONE_AHEAD = { count: 0, isLowerBound: false };

/** The outcome of the last attempt; null before the first, and after one that Waybill ended and repeats. */
function verdictOn({ attempts }: DeliveryView): DestinationTest['verdict'] {
  const last = attempts.at(-1);
  return last === undefined || last.code === INTERRUPTED ? null : last.outcome;
}

function verdictMessage(
  { attempts, state }: DeliveryView,
  verdict: DestinationTest['verdict'],
  ahead: number,
  { state: laneState, lastErrorMessage }: LaneView,
): string {
  if (verdict === 'delivered') return 'The target accepted the test event.';
  const reason = attempts.at(-1)?.message ?? '';
  if (verdict === 'rejected') return `The target rejected the test event permanently. ${reason}`;
  if (verdict !== null) return `The target did not accept the test event; the attempt is retried. ${reason}`;
  if (laneState === 'paused') return 'The test event waits: the destination was paused during the test.';
  if (attempts.at(-1)?.code === INTERRUPTED) return reason;
  const why = laneState === 'healthy' || lastErrorMessage === null ? '' : ` ${lastErrorMessage}`;
  if (ahead > 0 && state === 'pending')
    return `The test event was not sent yet: earlier events are delivered first.${why}`;
  return `The test event is being sent: the target did not respond in time.${why}`;
}
