import { type Capacity, chunkIntoCalls } from './chunk.js';
import type { Outcome, Reason } from './target.js';

/**
 * Most calls of one `send`. A refused record is rejected only if another one of the attempt is delivered. With a lower
 * bound, each attempt could repeat the same refused records and never reach the ones after them.
 */
export const MAX_CALLS = 512;

/**
 * Most calls of one `send` that has delivered a record and takes longer than a second: results are recorded every few
 * seconds. To find one refused record among 1,000 takes 21 calls; without a bound, 1,000 refused records would take
 * 1,999, and 500 events of one resource 500.
 */
export const MAX_SLOW_CALLS = 64;

/** Milliseconds for which MAX_SLOW_CALLS does not apply: recording after each 64 fast calls would double their cost. */
const FAST_CALLS_MS = 1_000;

/** After so many single refusals without a delivery, records are sent one by one: halves would only add calls. */
const REFUSALS_BEFORE_SINGLE_CALLS = 8;

/**
 * Share of the timeout after which records are sent one by one until one is delivered: with slow calls, the time would
 * end before halves reach the first record.
 */
const TIME_FOR_HALVES = 1 / 16;

/**
 * Result of one call to a vendor: an outcome for each record, or a refusal of the whole call for one of its records
 * (the size, a malformed record) that does not name the record.
 */
export type CallResult = { readonly outcomes: readonly Outcome[] } | { readonly refused: Reason };

/** Returns the result of a call with the same outcome for every record. */
export function sameOutcome(records: readonly unknown[], outcome: Outcome): CallResult {
  return { outcomes: records.map(() => outcome) };
}

/** Records that hold several events each. */
export interface PackedRecords<Item> {
  /** Returns the number of events in a record. */
  eventsIn(record: Item): number;
  /** Divides a record of several events before the event at this index. Keeps the order of the events. */
  divide(record: Item, at: number): readonly [Item, Item];
}

/** How `sendBisecting` calls the vendor. */
export interface BisectedCall<Item> {
  /** Returns the capacity of an empty call. */
  open(): Capacity<Item>;
  /** Makes one call. Its outcomes have the order of `part`. Never throws. */
  send(part: readonly Item[]): Promise<CallResult>;
  /** Left out: each record holds one event. */
  readonly packed?: PackedRecords<Item>;
  /** Timeout of the attempt, in milliseconds: no call begins after half of it. */
  readonly timeoutMs: number;
}

/**
 * Sends `records` in as few calls as possible. Repeats a refused call in halves until the refused event is alone: it is
 * `rejected`, the other events are delivered. A rejected record of several events is repeated in halves as well. Keeps
 * the order: calls are sequential, and none follows a call with a record that must be retried. Events left after that,
 * after the maximum of calls, or after half of the time are `postponed`. When nothing is delivered, the last refused
 * part that no call could follow is `rejected` as a whole, so that the attempt shows the vendor's reason.
 * @returns an outcome for each event of the records, in the order given
 */
export async function sendBisecting<Item>(
  records: readonly Item[],
  call: BisectedCall<Item>,
): Promise<readonly Outcome[]> {
  const started = performance.now();
  let calls = 0;
  let held = false;
  let delivered = false;
  let refused = false;
  let singleRefusals = 0;
  const eventsIn = (record: Item): number => call.packed?.eventsIn(record) ?? 1;

  const sendPart = async (part: readonly Item[]): Promise<readonly Outcome[]> => {
    const events = part.reduce((sum, record) => sum + eventsIn(record), 0);
    const elapsedMs = performance.now() - started;
    const maxCalls = delivered && elapsedMs > FAST_CALLS_MS ? MAX_SLOW_CALLS : MAX_CALLS;
    const exhausted = calls >= maxCalls || (calls > 0 && elapsedMs > call.timeoutMs / 2);
    if (held || exhausted) return repeated({ kind: 'postponed' }, events);
    const isSlow = refused && elapsedMs > call.timeoutMs * TIME_FOR_HALVES;
    const oneByOne = isSlow || singleRefusals >= REFUSALS_BEFORE_SINGLE_CALLS;
    if (!delivered && oneByOne && events > 1) return sendInTwo(part, 1);
    calls += 1;
    const result = await call.send(part);
    if ('outcomes' in result) {
      held = result.outcomes.some(({ kind }) => kind !== 'delivered' && kind !== 'rejected');
      delivered ||= result.outcomes.some(({ kind }) => kind === 'delivered');
      return call.packed ? eventOutcomes(part, result.outcomes) : result.outcomes;
    }
    refused = true;
    if (events > 1) return sendInHalves(part, events, result.refused);
    singleRefusals += 1;
    return [rejection(result.refused)];
  };

  /** Sends a part that has several events in two: its first events, then the others. */
  const sendInTwo = async (part: readonly Item[], firstEvents: number): Promise<readonly Outcome[]> => {
    const [first, second] = divided(part, firstEvents, call.packed);
    const outcomes = await sendPart(first);
    return [...outcomes, ...(await sendPart(second))];
  };

  /** Repeats a refused part in halves. */
  const sendInHalves = async (part: readonly Item[], events: number, reason: Reason): Promise<readonly Outcome[]> => {
    const outcomes = await sendInTwo(part, Math.ceil(events / 2));
    const isRepeated = outcomes.some(({ kind }) => kind !== 'postponed');
    return isRepeated || delivered || held ? outcomes : repeated({ kind: 'rejected', basis: 'call', reason }, events);
  };

  /** The outcome of a record is that of its events, but a rejection may be for one of them. */
  const eventOutcomes = async (part: readonly Item[], outcomes: readonly Outcome[]): Promise<readonly Outcome[]> => {
    const all: Outcome[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const record = part[index];
      const events = record === undefined ? 0 : eventsIn(record);
      if (record !== undefined && events > 1 && outcome.kind === 'rejected')
        all.push(...(await sendInHalves([record], events, outcome.reason)));
      else all.push(...repeated(outcome, events));
    }
    return all;
  };

  const outcomes: Outcome[] = [];
  for (const part of chunkIntoCalls(records, () => call.open())) outcomes.push(...(await sendPart(part)));
  return outcomes;
}

/** Returns the outcome for so many events. */
function repeated(outcome: Outcome, events: number): readonly Outcome[] {
  return Array.from({ length: events }, () => outcome);
}

/** Divides records after so many of their events, if need be within a record. */
function divided<Item>(
  part: readonly Item[],
  firstEvents: number,
  packed: PackedRecords<Item> | undefined,
): readonly [readonly Item[], readonly Item[]] {
  if (!packed) return [part.slice(0, firstEvents), part.slice(firstEvents)];
  const first: Item[] = [];
  let left = firstEvents;
  for (const [index, record] of part.entries()) {
    const events = packed.eventsIn(record);
    if (left < events) {
      if (left === 0) return [first, part.slice(index)];
      const [head, tail] = packed.divide(record, left);
      return [
        [...first, head],
        [tail, ...part.slice(index + 1)],
      ];
    }
    first.push(record);
    left -= events;
  }
  return [first, []];
}

/** The refused content itself is too large: https://www.rfc-editor.org/rfc/rfc9110#name-413-content-too-large */
const CONTENT_TOO_LARGE = 413;

function rejection(reason: Reason): Outcome {
  return { kind: 'rejected', basis: reason.httpStatus === CONTENT_TOO_LARGE ? 'record' : 'call', reason };
}
