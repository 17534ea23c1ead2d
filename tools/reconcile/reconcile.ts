import type { FarEnd } from './far-end.js';
import type { Ledger, LedgerEntry, OpenState } from './ledger.js';

/** A number that is missing at the far end, and why. */
export interface Missing {
  readonly sequence: number;
  readonly event_id: string | null;
  /**
   * `in_flight` to `expired`: Waybill says itself that the target does not have it (yet). `after_export`: the target took it after
   * the export was made. `acknowledged`: the target took it and the export does not hold it. `unknown`: Waybill has no record.
   */
  readonly because: OpenState | 'after_export' | 'acknowledged' | 'unknown';
  /** The target's last word, or when it took the event. */
  readonly detail: string | null;
}

/** What the far end holds, held against what Waybill says. */
export interface Reconciliation {
  readonly destination_status: string;
  /** The first and last number that were looked at. */
  readonly from: number;
  readonly last_sequence: number;
  readonly held: number;
  readonly repeats: number;
  readonly out_of_order: number;
  /** Events that have no number yet: they wait behind the last one. */
  readonly missing: readonly Missing[];
  /** What cannot be: two events with one number, another event than Waybill gave it to, numbers that were never given. */
  readonly contradictions: readonly string[];
  /** Every number is held, or Waybill says why it is not. */
  readonly accounted_for: boolean;
  /** Missing numbers that the target will not get without a redelivery: their events were rejected, or expired. */
  readonly not_delivered: number;
}

/** What to look at. */
export interface Scope {
  /** First number to look at: the export begins there. */
  readonly from: number;
  /** When the export was made; what was acknowledged later is not expected in it. */
  readonly exportedAt: Date;
}

/**
 * Delivered events whose ids are compared in any case, the newest first: an export of another destination would hold the same
 * numbers. One page of the API.
 */
const COMPARED_AT_LEAST = 100;

/**
 * Accounts for every number that a destination gave out: it is at the far end, or Waybill says what became of it.
 * @throws Error when the API refuses, or when the scope begins behind the last number
 */
export async function reconcile(
  farEnd: FarEnd,
  ledger: Pick<Ledger, 'status' | 'deliveries'>,
  scope: Scope,
): Promise<Reconciliation> {
  const status = await ledger.status();
  const last = status.last_sequence;
  if (scope.from > last + 1)
    throw new Error(
      `There is nothing to compare from ${scope.from} on: the destination has given out ${last} numbers.`,
    );
  const unexplained = new Set<number>();
  for (let number = scope.from; number <= last; number += 1) if (!farEnd.has(number)) unexplained.add(number);
  const missing: Missing[] = [];
  const others = new Map<number, string>();
  const explain = (entry: LedgerEntry, number: number, because: Missing['because']): void => {
    const held = farEnd.idOf(number);
    if (held !== undefined && held !== entry.event_id)
      others.set(number, `Number ${number} is of ${entry.event_id}; the export holds ${held} with it.`);
    if (!unexplained.delete(number)) return;
    const detail = entry.error ? `${entry.error.code}: ${entry.error.message}` : entry.finished_at;
    missing.push({ sequence: number, event_id: entry.event_id, because, detail });
  };

  // What waits is looked at between two looks at what is in flight: it may be long, and begin to be sent meanwhile.
  for (const state of ['in_flight', 'pending', 'in_flight', 'rejected', 'expired', 'delivered'] as const) {
    const least = state === 'delivered' ? COMPARED_AT_LEAST : 0;
    const unnumbered: LedgerEntry[] = [];
    let seen = 0;
    for await (const entry of unexplained.size > 0 || least > 0 ? ledger.deliveries(state) : []) {
      if (entry.sequence !== null) explain(entry, entry.sequence, reasonOf(entry, scope.exportedAt));
      else if (state === 'in_flight') unnumbered.push(entry);
      seen += 1;
      if (unexplained.size === 0 && seen >= least) break;
    }
    // A batch that was not tried yet has the last numbers, and the list begins with its last event. Not so where numbers have been
    // given out since: then it is another batch, and whatever it had before is found by its own number.
    if (unnumbered.length > 0 && (await ledger.status()).last_sequence === last)
      for (const [index, entry] of unnumbered.entries()) explain(entry, last - index, 'in_flight');
  }
  for (const sequence of unexplained)
    missing.push({ sequence, event_id: null, because: 'unknown', detail: null });
  missing.sort((a, b) => a.sequence - b.sequence);

  const contradictions = [...farEnd.contradictions, ...others.values()];
  if (farEnd.highest > last)
    contradictions.push(
      `The export holds number ${farEnd.highest}; the destination has given out ${last} only.`,
    );
  return {
    destination_status: status.status,
    from: scope.from,
    last_sequence: last,
    held: farEnd.events,
    repeats: farEnd.repeats,
    out_of_order: farEnd.outOfOrder,
    missing,
    contradictions,
    accounted_for:
      contradictions.length === 0 &&
      missing.every(({ because }) => because !== 'unknown' && because !== 'acknowledged'),
    not_delivered: missing.filter(({ because }) => because === 'rejected' || because === 'expired').length,
  };
}

/** Whether a reconciliation is good: every number is accounted for and, where that is asked for, none ended undelivered. */
export function isGood(found: Reconciliation, strict: boolean): boolean {
  return found.accounted_for && !(strict && found.not_delivered > 0);
}

function reasonOf({ state, finished_at: at }: LedgerEntry, exportedAt: Date): Missing['because'] {
  if (state !== 'delivered') return state;
  return at !== null && Date.parse(at) > exportedAt.getTime() ? 'after_export' : 'acknowledged';
}
