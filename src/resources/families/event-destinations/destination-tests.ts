import { setTimeout as sleep } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '../../../database/database.js';
import type { DeliveryView } from '../../../delivery/views/delivery-view.js';
import type { DeliveryViewStore } from '../../../delivery/views/delivery-view-store.js';
import type { Dispatcher } from '../../../delivery/dispatch/dispatcher.js';
import { MAX_COUNTED, type LaneView, type LaneViewStore } from '../../../delivery/views/lane-view-store.js';
import type { EventRecorder } from '../../../events/event-recorder.js';
import { deliverySchema, toDeliveryResponse } from '../../../events/delivery-response.js';
import type { RequestContext } from '../../../http/request-context.js';
import { notFound } from '../../../problems/problem.js';
import type { Representation } from '../../framework/representation.js';
import { destinationStatus, toStatusResponse } from './destination-status.js';

/** Longest that a test waits for the vendor, in milliseconds. */
export const TEST_WAIT_MS = 15_000;

/** First and longest wait between two looks at the delivery, in milliseconds: each doubles. */
const FIRST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 1_000;

/** What a test of a destination is answered with. */
export const destinationTest = z
  .object({
    verdict: z.enum(['delivered', 'retry', 'misconfigured', 'rejected']).nullable().meta({
      description:
        'What the vendor said to the test event. `retry`: it failed for a reason that passes; `misconfigured`: the destination is set up wrong; both are tried again. Null: it was not its turn yet, and `ahead` and `status` say why.',
    }),
    message: z.string().meta({ description: 'The same in a sentence.' }),
    ahead: z
      .int()
      .meta({ description: `Events that are delivered before it. Counted up to ${MAX_COUNTED}.` }),
    ahead_is_lower_bound: z.boolean().meta({ description: 'There are more than `ahead` says.' }),
    delivery: deliverySchema,
    status: destinationStatus,
  })
  .meta({ id: 'EventDestinationTest' });

export type DestinationTest = z.infer<typeof destinationTest>;

/** What tests are made with. */
export interface DestinationTestsParts {
  readonly db: Database;
  readonly recorder: EventRecorder;
  readonly dispatcher: Dispatcher;
  readonly views: DeliveryViewStore;
  readonly lanes: LaneViewStore;
  /** Longest that a test waits for the vendor, in milliseconds; TEST_WAIT_MS unless given. */
  readonly waitMs?: number;
}

/** Tests destinations with an event that goes the way of all others (docs/decisions/destination-test.md). */
export class DestinationTests implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(private readonly parts: DestinationTestsParts) {}

  /** Lets the tests that wait answer with what they know, so that they do not keep the process from stopping. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /**
   * Sends a test event to a destination and waits for the vendor's verdict, which may not come in time.
   * @param destination the destination as it is shown
   */
  async run(context: RequestContext, destination: Representation): Promise<DestinationTest> {
    const { db, recorder, dispatcher, lanes } = this.parts;
    const { eventId, deliveryId } = await db
      .transaction()
      .execute((trx) => recorder.recordTest(trx, context, destination));
    await dispatcher.resume(destination.id);
    await this.verdict(context, destination.id, eventId);
    const { delivery, lane } = await this.progress(context, destination.id, eventId);
    const verdict = verdictOn(delivery);
    const ahead = verdict === null ? await lanes.ahead(destination.id, deliveryId) : NONE_AHEAD;
    return {
      verdict,
      message: sentence(delivery, verdict, ahead.count, lane),
      ahead: ahead.count,
      ahead_is_lower_bound: ahead.isLowerBound,
      delivery: toDeliveryResponse(delivery),
      status: toStatusResponse(lane, context.baseUrl),
    };
  }

  /** Waits for a verdict for as long as one can be expected. */
  private async verdict(context: RequestContext, destinationId: string, eventId: string): Promise<void> {
    const until = performance.now() + (this.parts.waitMs ?? TEST_WAIT_MS);
    const { signal } = this.stopping;
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_LOOK_MS)) {
      const { delivery, lane } = await this.progress(context, destinationId, eventId);
      const left = until - performance.now();
      if (verdictOn(delivery) !== null || left <= 0 || signal.aborted) return;
      // The lane was resumed, so this is a new failure, of what goes before the test: more waiting would show nothing more.
      const { nextAttemptAt } = lane;
      if (nextAttemptAt !== null && nextAttemptAt.getTime() - Date.now() > left) return;
      await sleep(Math.min(wait, left), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Where a test stands; the lane is at least as far as the delivery says. */
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

const NONE_AHEAD = { count: 0, isLowerBound: false };

function verdictOn({ attempts }: DeliveryView): DestinationTest['verdict'] {
  return attempts.at(-1)?.outcome ?? null;
}

function sentence(
  { attempts, state }: DeliveryView,
  verdict: DestinationTest['verdict'],
  ahead: number,
  { status, lastError }: LaneView,
): string {
  if (verdict === 'delivered') return 'The target took the test event.';
  const said = attempts.at(-1)?.message ?? '';
  if (verdict === 'rejected') return `The target refused the test event for good. ${said}`;
  if (verdict !== null) return `The target did not take the test event; it is tried again. ${said}`;
  const why = status === 'healthy' || !lastError ? '' : ` ${lastError.message}`;
  if (ahead > 0 && state === 'pending')
    return `The test event is not sent yet: it is delivered after the events that wait before it.${why}`;
  return `The test event is on its way, and the target has not answered in time.${why}`;
}
