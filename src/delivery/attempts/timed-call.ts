import { storable } from '../../bounds/storable.js';
import type { Logger } from '../../logging/logger.js';
import { abortOutcome } from '../../targets/connection-errors.js';
import type { Connection, Outcome } from '../../targets/target.js';
import type { BatchDelivery } from '../lanes/batch-store.js';

/** How long an aborted call may take to return, in milliseconds; after that it is abandoned. */
const GRACE_MS = 2_000;

/** Where a call reports what the target did wrong. */
export interface CallLog {
  readonly logger: Pick<Logger, 'error'>;
  /** Fields that say which call it was. */
  readonly about: Readonly<Record<string, string | undefined>>;
}

/**
 * Sends a batch once, and returns one outcome for each delivery. Never throws: a call that exceeds its timeout, and a
 * target that throws or returns invalid outcomes, count as failures to retry.
 * @param timeoutMs longest time for the call
 * @param call aborted at the timeout; when it is aborted earlier, the outcomes are `interrupted`
 */
export async function timedCall(
  connection: Pick<Connection, 'send'>,
  deliveries: readonly BatchDelivery[],
  timeoutMs: number,
  call: AbortController,
  { logger, about }: CallLog,
): Promise<readonly Outcome[]> {
  if (deliveries.length === 0) return [];
  const timeout = setTimeout(() => call.abort(new DOMException('the call took too long', 'TimeoutError')), timeoutMs);
  let abandonTimer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<null>((resolve) => {
    const abandonLater = (): void => {
      abandonTimer = setTimeout(() => resolve(null), GRACE_MS);
    };
    if (call.signal.aborted) abandonLater();
    else call.signal.addEventListener('abort', abandonLater, { once: true });
  });
  try {
    const events = deliveries.map(({ event }) => event);
    const outcomes = await Promise.race([connection.send(events, call.signal), abandoned]);
    if (outcomes === null) return deliveries.map(() => abortOutcome(call.signal));
    if (outcomes.length !== deliveries.length) {
      throw new Error(`target.send() returned ${outcomes.length} outcomes for ${deliveries.length} events`);
    }
    // No call and no failure means no backoff: the batch would be tried again at once, forever.
    if (outcomes.every(({ kind }) => kind === 'postponed')) {
      throw new Error('target.send() postponed every event');
    }
    return outcomes.map(withBoundedReason);
  } catch (error) {
    logger.error(
      { err: error, ...about },
      'target.send() threw or returned invalid outcomes; the batch is retried after a backoff',
    );
    return deliveries.map(() => ({ kind: 'retry', reason: invalidOutcomes }));
  } finally {
    clearTimeout(timeout);
    clearTimeout(abandonTimer);
  }
}

/** Most characters of a reason's code and message, which every delivery of the batch is stored with. */
const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 1_000;

/** Bounds the reason of an outcome: a part of it may be text of the vendor. */
function withBoundedReason(outcome: Outcome): Outcome {
  if (!('reason' in outcome)) return outcome;
  const { reason } = outcome;
  const code = storable(reason.code, LONGEST_CODE);
  return { ...outcome, reason: { ...reason, code, message: storable(reason.message, LONGEST_MESSAGE) } };
}

const invalidOutcomes = {
  code: 'internal_error',
  message: 'Waybill failed to process the target’s response. Waybill tries again.',
};
