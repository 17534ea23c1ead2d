import type { EventNumber } from '@waybill/verify/readers';
import type { AlteredEvent, ContentComparison } from './content-result.js';
import type { DeliveryRecord, DestinationRecords, EpochStart, OpenState } from './destination-records.js';
import { heldByOther, isLower, type ExportedEvents, type OtherEvent } from './exported-events.js';
import type { Proof } from './proof.js';

/** A sequence that is missing in the export, and the reason. */
export interface Missing {
  readonly epoch: number;
  readonly sequence: number;
  readonly event_id: string | null;
  /**
   * `in_flight` to `expired`: Waybill says itself that the target does not have it (yet). `after_export`: the target
   * took it after the export was made. `acknowledged`: the target took it and the export does not hold it. `unknown`:
   * Waybill has no record. `erased`: an erasure record names it; without a verifier key, the record was not verified.
   */
  readonly because: OpenState | 'after_export' | 'acknowledged' | 'unknown' | 'erased';
  /** Last error of the target, the time of its acknowledgement, or the id of the erasure. */
  readonly detail: string | null;
}

/** Result of a comparison of the export with Waybill's record. */
export interface Reconciliation {
  readonly destination_status: string;
  /** Kind of its target: `log_group`. */
  readonly target_kind: string;
  /** First compared sequence. */
  readonly from: number;
  readonly last_sequence: number;
  /** The current epoch. */
  readonly epoch: number;
  readonly held: number;
  readonly repeats: number;
  readonly out_of_order: number;
  readonly missing: readonly Missing[];
  /**
   * Numbers of earlier epochs that Waybill does not know: events that were delivered before the database was restored
   * to an earlier state. The changes that they describe are undone.
   */
  readonly undone: readonly EventNumber[];
  /** Two events with one number, another event than Waybill's, or a number that was never assigned. */
  readonly contradictions: readonly string[];
  /** Assigned numbers with which the export holds another event than Waybill's, or two events. */
  readonly other_events: readonly OtherEvent[];
  /** Events that the export holds with content other than what Waybill delivered. Empty if none was compared. */
  readonly altered: readonly AlteredEvent[];
  readonly content: ContentComparison;
  /** Number of events in lines of an export of Waybill, which do not show what the target holds. */
  readonly of_waybill: number;
  /**
   * Every sequence is in the export, or Waybill explains its absence; and of every event in the export it has a record,
   * as far as it still has records.
   */
  readonly accounted_for: boolean;
  /** Number of events that were rejected or expired. The target gets them only by a redelivery. */
  readonly not_delivered: number;
  /** What the signed logs say; absent without a verifier key. */
  readonly proof?: Proof;
}

/** Range of a reconciliation. */
export interface Scope {
  /** First compared sequence: the export begins there. */
  readonly from: number;
  /** Time of the export. Events acknowledged later are not expected in it. */
  readonly exportedAt: Date;
}

/**
 * Number of newest delivered events whose ids are always compared: an export of another destination holds the same
 * sequences. One page of the API.
 */
const COMPARED_AT_LEAST = 100;

/** States that explain a missing number, in the order in which they are read. */
const open = ['pending', 'in_flight', 'rejected', 'expired'] as const;

/**
 * Accounts for every sequence that a destination has assigned: the export holds it, or Waybill explains its absence.
 * @throws Error if the API returns an error, or if the range begins after the last sequence
 */
export async function reconcile(
  exported: ExportedEvents,
  records: DestinationRecords,
  scope: Scope,
): Promise<Reconciliation> {
  const status = await records.status();
  const assigned = status.last_sequence;
  if (scope.from > assigned + 1)
    throw new Error(
      `There is nothing to compare from ${scope.from} on: the destination has given out ${assigned} sequences.`,
    );
  const numberOf = (sequence: number): EventNumber => ({ epoch: epochAt(status.epochs, sequence), sequence });
  const unexplained = new Set<number>();
  for (let number = scope.from; number <= assigned; number += 1)
    if (!exported.has(numberOf(number))) unexplained.add(number);
  const explained: Missing[] = [];
  const others = new Map<number, OtherEvent>();
  const explain = (entry: DeliveryRecord, number: number, because: Missing['because']): void => {
    const held = exported.idOf(numberOf(number));
    if (held !== undefined && held !== entry.event_id)
      others.set(number, heldByOther(numberOf(number), entry.event_id, held));
    if (!unexplained.delete(number)) return;
    const detail = entry.error ? `${entry.error.code}: ${entry.error.message}` : entry.finished_at;
    explained.push({ ...numberOf(number), event_id: entry.event_id, because, detail });
  };

  // The list of pending deliveries may be long, and a batch may start while it is read: so `in_flight` is read before
  // and after. A redelivery makes a finished delivery pending again: so what is still unexplained is read once more.
  for (const state of ['in_flight', ...open, 'pending', 'in_flight', 'delivered', ...open] as const) {
    const least = state === 'delivered' ? COMPARED_AT_LEAST : 0;
    let seen = 0;
    for await (const entry of unexplained.size > 0 || least > 0 ? records.deliveries(state) : []) {
      if (entry.sequence !== null) explain(entry, entry.sequence, reasonOf(entry, scope.exportedAt));
      seen += 1;
      if (unexplained.size === 0 && seen >= least) break;
    }
  }
  // The first attempt at a batch gives back the numbers that it did not send.
  const last = unexplained.size > 0 ? Math.min(assigned, (await records.status()).last_sequence) : assigned;
  for (const sequence of unexplained)
    explained.push({ ...numberOf(sequence), event_id: null, because: 'unknown', detail: null });
  const missing = explained.filter(({ sequence }) => sequence <= last).toSorted((a, b) => a.sequence - b.sequence);

  const otherEvents = [...exported.otherEvents, ...others.values()];
  const contradictions = otherEvents.map(({ reason }) => reason);
  const isAssigned = ({ epoch: of, sequence }: EventNumber): boolean =>
    numberOf(sequence).epoch === of && sequence <= last;
  const unassigned = exported.numbers((number) => !isAssigned(number));
  const epoch = status.epochs.at(-1)?.epoch ?? 1;
  const undone = unassigned.filter((number) => number.epoch < epoch);
  const highest = unassigned.at(-1);
  if (highest && !isLower(highest, { epoch, sequence: 0 }))
    contradictions.push(
      highest.epoch > epoch
        ? `The export holds sequence ${highest.sequence} of epoch ${highest.epoch}; the destination is in epoch ${epoch}.`
        : `The export holds sequence ${highest.sequence}; the destination has given out ${last} only.`,
    );
  const content = { compared: false, reason: null } as const;
  return {
    destination_status: status.status,
    target_kind: status.target_kind,
    from: scope.from,
    last_sequence: last,
    epoch,
    held: exported.counts.events,
    repeats: exported.counts.repeats,
    out_of_order: exported.counts.outOfOrder,
    missing,
    undone,
    contradictions,
    other_events: otherEvents.filter(isAssigned),
    altered: [],
    content,
    of_waybill: exported.counts.ofWaybill,
    accounted_for: isAccountedFor({ contradictions, missing, content }),
    not_delivered: missing.filter(({ because }) => because === 'rejected' || because === 'expired').length,
  };
}

/**
 * Checks the result: every sequence is accounted for, no event is altered, no line is of an export of Waybill, and the
 * signed logs verify the files, if a verifier key was given. With
 * `strict` none was rejected or expired either, the export holds no undone event, and the contents were compared if
 * they should be.
 */
export function passes(found: Reconciliation, strict: boolean): boolean {
  if (!found.accounted_for || found.altered.length > 0 || found.of_waybill > 0) return false;
  if (found.proof?.verified === false) return false;
  return !strict || (found.not_delivered === 0 && found.undone.length === 0 && !lacksContent(found));
}

/** Returns whether Waybill explains each event that is not in the export, and has a record of each that is. */
export function isAccountedFor({
  contradictions,
  missing,
  content,
}: Pick<Reconciliation, 'contradictions' | 'missing' | 'content'>): boolean {
  const uncertain = content.compared ? content.uncertain : [];
  return (
    contradictions.length === 0 &&
    missing.every(({ because }) => because !== 'unknown' && because !== 'acknowledged') &&
    uncertain.every(({ because }) => because !== 'no_record')
  );
}

/** Returns whether contents that should be compared were not, or not all of them. */
function lacksContent({ content }: Reconciliation): boolean {
  return content.compared ? content.uncertain.length > 0 : content.reason !== null;
}

/** Returns the epoch of a sequence: the last one that begins at it or before. */
export function epochAt(epochs: readonly EpochStart[], sequence: number): number {
  return epochs.findLast(({ first_sequence: first }) => first <= sequence)?.epoch ?? 1;
}

function reasonOf({ state, finished_at: at }: DeliveryRecord, exportedAt: Date): Missing['because'] {
  if (state !== 'delivered') return state;
  return at !== null && Date.parse(at) > exportedAt.getTime() ? 'after_export' : 'acknowledged';
}
