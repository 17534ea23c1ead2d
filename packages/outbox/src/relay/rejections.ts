import type { Answer } from './answer.js';
import type { Rejection } from './settlement-store.js';
import type { SendableEvent } from './waiting-events-store.js';

/** Most errors that are stored with an event. */
const MOST_ERRORS = 20;

/**
 * Returns the events that a refusal moves to the rejected ones.
 * @param hold whether later events of a resource wait: only the first refused event of each resource is moved then
 */
export function rejectionsOf(
  batch: readonly SendableEvent[],
  answer: Extract<Answer, { kind: 'events_refused' | 'batch_refused' }>,
  hold: boolean,
): readonly Rejection[] {
  const { status, errorCode } = answer;
  const holding = new Set<string>();
  return batch.flatMap((event, index) => {
    const errors = answer.kind === 'events_refused' ? answer.events.get(index) : [];
    if (!errors || holding.has(event.resource)) return [];
    if (hold) holding.add(event.resource);
    const [first] = errors;
    const reason = first ? `${first.pointer}: ${first.detail}` : answer.kind === 'batch_refused' ? answer.detail : '';
    return [{ event, reason, status, errorCode, detail: errors.slice(0, MOST_ERRORS), holds: hold }];
  });
}
