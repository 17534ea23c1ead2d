import type { Logger } from '../../logging/logger.js';
import type { Connection, Outcome } from '../../targets/target.js';
import { ended } from '../../targets/connection-errors.js';
import type { BatchDelivery } from '../lanes/batch-store.js';

/** How much longer than its time a call may take to notice that it was ended, in milliseconds; then it is left alone. */
const GRACE_MS = 2_000;

/**
 * Sends a batch once and says what became of each delivery, whatever happens: a call that outlives its time, and a target that
 * breaks its promises (throws, answers for another number of events or for none), count as a passing failure.
 * @param timeoutMs longest that the call may take
 * @param call aborted when that time is over; who aborts it earlier ends the call, and the deliveries are `interrupted`
 */
export async function timedCall(
  connection: Connection,
  deliveries: readonly BatchDelivery[],
  timeoutMs: number,
  call: AbortController,
  logger: Logger,
): Promise<readonly Outcome[]> {
  if (deliveries.length === 0) return [];
  const timeout = setTimeout(
    () => call.abort(new DOMException('the call took too long', 'TimeoutError')),
    timeoutMs,
  );
  let abandon: NodeJS.Timeout | undefined;
  const abandoned = new Promise<null>((resolve) => {
    const wait = (): void => {
      abandon = setTimeout(() => resolve(null), GRACE_MS);
    };
    if (call.signal.aborted) wait();
    else call.signal.addEventListener('abort', wait, { once: true });
  });
  try {
    const events = deliveries.map(({ event }) => event);
    const outcomes = await Promise.race([connection.send(events, call.signal), abandoned]);
    if (outcomes === null) return deliveries.map(() => ended(call.signal));
    if (outcomes.length !== deliveries.length) {
      throw new Error(`the target answered for ${outcomes.length} of ${deliveries.length} events`);
    }
    // Nothing tried and nothing failed would be tried again at once, without an end.
    if (outcomes.every(({ kind }) => kind === 'postponed')) throw new Error('the target sent nothing');
    return outcomes;
  } catch (error) {
    logger.error({ err: error }, 'a target failed in a way that it should not');
    return deliveries.map(() => ({ kind: 'retry', reason: notUnderstood }));
  } finally {
    clearTimeout(timeout);
    clearTimeout(abandon);
  }
}

const notUnderstood = {
  code: 'internal_error',
  message: 'Waybill could not make sense of the target’s answer; it tries again.',
};
