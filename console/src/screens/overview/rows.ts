import type { EventDestinationStatus, UndeliveredCount } from '@waybill/client';
import { nameOrId } from '../../api/resource-label.js';
import { receivesNothing, type Receivers } from '../../api/subscriptions.js';

/** States of a destination, those that need a person first. */
export const states = ['misconfigured', 'retrying', 'paused', 'healthy'] as const;

/** The mark of a destination to which no subscription sends events. */
export const NO_EVENTS = 'No events';

/** State of a destination. */
export type State = (typeof states)[number];

/** A row of the overview. */
export interface DestinationRow {
  readonly id: string;
  /** The description; the id without one. */
  readonly name: string;
  /** The service that events are sent to. */
  readonly service: string;
  readonly status: EventDestinationStatus;
  /** Whether it is known that no subscription sends events to it. */
  readonly hasNoEvents: boolean;
  /** What was rejected and what has expired; undefined for nothing, and while it is not known. */
  readonly undelivered: UndeliveredCount | undefined;
  /** Error codes: why it fails now, and why events were not delivered. */
  readonly causes: readonly string[];
}

/**
 * Returns the rows of the overview: broken destinations first, of each state the one that has it longest.
 * @param receivers undefined while they are not known
 * @param serviceOf names the service of a kind of target
 * @param undelivered by the id of the destination; undefined while it is not known
 */
export function rowsOf(
  statuses: readonly EventDestinationStatus[],
  receivers: Receivers | undefined,
  serviceOf: (kind: string) => string,
  undelivered?: ReadonlyMap<string, UndeliveredCount>,
): readonly DestinationRow[] {
  return statuses
    .map((status) => ({
      id: status.id,
      name: nameOrId(status.description, status.id),
      service: serviceOf(status.target_kind),
      status,
      hasNoEvents: receivers !== undefined && receivesNothing(status.id, receivers),
      undelivered: undelivered?.get(status.id),
      causes: causesOf(status, undelivered?.get(status.id)),
    }))
    .toSorted(byUrgency);
}

function causesOf({ status, last_error: error }: EventDestinationStatus, undelivered?: UndeliveredCount): string[] {
  const failing = (status === 'misconfigured' || status === 'retrying') && error !== null ? [error.code] : [];
  return [...new Set([...failing, ...(undelivered?.reasons ?? []).map(({ code, state }) => code ?? state)])];
}

/** Most causes that are offered. */
const MOST_CAUSES = 8;

/** Returns the causes that most destinations have, with the number of these. */
export function causesIn(rows: readonly DestinationRow[]): readonly (readonly [string, number])[] {
  const numbers = new Map<string, number>();
  for (const cause of rows.flatMap(({ causes }) => causes)) numbers.set(cause, (numbers.get(cause) ?? 0) + 1);
  return [...numbers].toSorted(([one, a], [other, b]) => b - a || one.localeCompare(other, 'en')).slice(0, MOST_CAUSES);
}

/** A muted destination that fails calls for nobody: it comes with the paused ones. */
function rankOf({ status: { status, muted } }: DestinationRow): number {
  return Math.max(states.indexOf(status), muted === null ? 0 : states.indexOf('paused'));
}

/** Healthy destinations are in the order of their names, those with undelivered events first: rows stay in place. */
function byUrgency(a: DestinationRow, b: DestinationRow): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  const losses = Number(a.undelivered === undefined) - Number(b.undelivered === undefined);
  if (a.status.status === 'healthy')
    return losses || a.name.localeCompare(b.name, 'en', { numeric: true }) || byId(a, b);
  return Date.parse(a.status.since) - Date.parse(b.status.since) || byId(a, b);
}

function byId(a: DestinationRow, b: DestinationRow): number {
  return a.id < b.id ? -1 : 1;
}

/** What the rows are filtered by. */
export interface RowFilter {
  readonly q?: string | undefined;
  readonly state?: readonly State[] | undefined;
  /** Whether only destinations are shown that did not receive an event. */
  readonly not_delivered?: 'true' | undefined;
  /** An error code. */
  readonly cause?: string | undefined;
  /** Whether only muted destinations are shown, or only others. */
  readonly muted?: 'true' | 'false' | undefined;
}

/** Returns the rows that match the filter: every word of `q`, one of the states, and the rest. */
export function matching(
  rows: readonly DestinationRow[],
  { q = '', state, not_delivered, cause, muted }: RowFilter,
): readonly DestinationRow[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (state && !state.includes(row.status.status)) return false;
    if (not_delivered !== undefined && row.undelivered === undefined) return false;
    if (cause !== undefined && !row.causes.includes(cause)) return false;
    if (muted !== undefined && (muted === 'true') !== (row.status.muted !== null)) return false;
    if (words.length === 0) return true;
    const { last_error: error, paused, muted: mute } = row.status;
    const text = [
      row.name,
      row.id,
      row.service,
      error?.code,
      error?.message,
      paused?.reason,
      mute && `muted ${mute.reason} ${mute.principal.subject}`,
      row.hasNoEvents && NO_EVENTS,
      ...row.causes,
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Numbers of all destinations. */
export interface Totals {
  readonly byState: Readonly<Record<State, number>>;
  /** Number of destinations that fail and are not muted. */
  readonly broken: number;
  /** Ids of the muted destinations. */
  readonly muted: ReadonlySet<string>;
  readonly undelivered: number;
  /** Whether the real number is higher. */
  readonly undeliveredIsLowerBound: boolean;
  /** When the oldest event that waits happened, without those of paused destinations; null when none waits. */
  readonly oldestPendingAt: string | null;
}

/** Returns the numbers of all destinations. */
export function totalsOf(statuses: readonly EventDestinationStatus[]): Totals {
  const byState = { misconfigured: 0, retrying: 0, paused: 0, healthy: 0 };
  const muted = new Set(statuses.filter((one) => one.muted !== null).map(({ id }) => id));
  let [undelivered, broken] = [0, 0];
  let oldestPendingAt: string | null = null;
  for (const { id, status, pending, oldest_pending_at: oldest } of statuses) {
    byState[status] += 1;
    if ((status === 'misconfigured' || status === 'retrying') && !muted.has(id)) broken += 1;
    undelivered += pending;
    if (status !== 'paused' && oldest !== null && (oldestPendingAt === null || oldest < oldestPendingAt))
      oldestPendingAt = oldest;
  }
  return {
    byState,
    broken,
    muted,
    undelivered,
    undeliveredIsLowerBound: statuses.some(({ pending_is_lower_bound: more }) => more),
    oldestPendingAt,
  };
}
