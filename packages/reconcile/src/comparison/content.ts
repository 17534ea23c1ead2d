import type { Place } from '@waybill/verify/check';
import { eventsOfLine, FIRST_EPOCH, type EventNumber, type ExportedEvent } from '@waybill/verify/readers';
import { digestOf } from './canonical.js';
import type { AlteredEvent, UncertainEvent } from './content-result.js';
import { differencesOf, type Difference } from './differences.js';
import type { DestinationExports } from './export-record.js';
import { heldByOther, type ExportedEvents, type OtherEvent } from './exported-events.js';
import type { HeldEvent } from './held-event.js';
import { isBeforeRecords } from './kept-records.js';
import { ownFormDifferencesOf, ownFormOf, type OwnForm } from './own-form.js';
import { isAccountedFor, type Reconciliation } from './reconcile.js';
import { isOwnForm } from './target-form.js';
import { readExport, type ExportControl, type ExportFacts } from './waybill-export.js';

/** Most numbers whose differing members are named. */
const MOST_DETAILED = 100;

/** What a comparison of contents needs. */
export interface ContentControl extends ExportControl {
  /**
   * Reads lines of the tested files again; a line of standard input is not in the result. If it fails, what differs in
   * the lines is not known.
   */
  readonly linesAt: (places: readonly Place[]) => Promise<ReadonlyMap<Place, string>>;
}

/** A line of Waybill's export. */
interface ExportedLine {
  readonly event_id: unknown;
  readonly epoch?: unknown;
  readonly sequence?: unknown;
  readonly delivery: { readonly state: string; readonly backfill_id: string | null };
}

/** An event whose lines are not what was delivered. */
interface Differing {
  readonly number: EventNumber;
  /** The lines that differ. */
  readonly versions: readonly HeldEvent[];
  readonly hasIntactLine: boolean;
  /** Whether a line holds another value; else only members differ that the target does not store, or adds. */
  readonly isAltered: boolean;
  /** Null after the first ones. */
  readonly delivered: object | null;
}

/**
 * Compares the content of each event with what Waybill delivered. Nothing is decided before the whole file of Waybill
 * is known to be what its manifest says.
 * @returns the comparison of the numbers with `altered` and `content`; if the contents could not be compared, with the
 * reason
 */
export async function compareContent(
  found: Reconciliation,
  exported: ExportedEvents,
  exports: DestinationExports,
  control: ContentControl,
): Promise<Reconciliation> {
  const awaited = new Set(exported.numbers(isCompared(found)).map(keyOf));
  if (awaited.size === 0) return { ...found, content: { compared: true, events: 0, export: null, uncertain: [] } };
  const comparison = new Comparison(exported, found.target_kind, awaited);
  try {
    const facts = await readExport(exports, (line) => comparison.add(line), control);
    return await comparison.result(found, facts, control);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...found, content: { compared: false, reason } };
  }
}

/** Returns whether a number is one that Waybill has given out in the compared range. */
function isCompared({ from, undone, last_sequence: last }: Reconciliation): (number: EventNumber) => boolean {
  const unknown = new Set(undone.map(keyOf));
  return (number) => number.sequence >= from && number.sequence <= last && !unknown.has(keyOf(number));
}

/** Compares the lines of Waybill's export with the events of the tested files. */
class Comparison {
  private readonly differing: Differing[] = [];
  private readonly others: OtherEvent[] = [];
  /** Events in the first attempt at their batch, which have no number in Waybill's export yet. One batch at most. */
  private readonly unnumbered = new Map<string, object>();
  private count = 0;

  /** @param awaited the numbers that are compared; those that remain are not in Waybill's export */
  constructor(
    private readonly exported: ExportedEvents,
    private readonly targetKind: string,
    private readonly awaited: Set<string>,
  ) {}

  /** Compares one line of Waybill's export. */
  add(line: string): void {
    // A file of Waybill, whose hash is compared with its manifest.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { delivery, ...delivered } = JSON.parse(line) as ExportedLine;
    const { event_id: eventId, epoch = FIRST_EPOCH, sequence } = delivered;
    if (typeof eventId !== 'string' || typeof epoch !== 'number') return;
    if (typeof sequence === 'number') this.addNumbered({ epoch, sequence }, eventId, delivered);
    else if (delivery.state === 'in_flight')
      this.unnumbered.set(eventId, delivery.backfill_id === null ? delivered : { ...delivered, backfill: true });
  }

  private addNumbered(number: EventNumber, eventId: string, delivered: object): void {
    if (!this.awaited.delete(keyOf(number))) return;
    const versions = this.exported.versionsOf(number);
    const held = versions[0]?.eventId;
    if (held !== undefined && held !== eventId) this.others.push(heldByOther(number, eventId, held));
    else this.compare(number, delivered, versions);
  }

  private compare(number: EventNumber, delivered: object, versions: readonly HeldEvent[]): void {
    const differsFrom = (form: object): ((one: HeldEvent) => boolean) => {
      const digest = digestOf(form);
      const ownDigest = versions.some((one) => this.ownFormOf(one)) ? ownFormOf(form, 'delivered').digest : null;
      return (one) => one.digest !== digest && this.ownFormOf(one)?.digest !== ownDigest;
    };
    let differing = versions.filter(differsFrom(delivered));
    const forms = [delivered];
    if (differing.length > 0 && number.epoch === FIRST_EPOCH) {
      forms.push(withoutEpoch(delivered));
      differing = differing.filter(differsFrom(withoutEpoch(delivered)));
    }
    const altered = differing.filter((one) => {
      const ownForm = this.ownFormOf(one);
      return ownForm === null || forms.every((form) => this.exported.isAlteredIn(ownForm, form));
    });
    if (differing.length === 0 || altered.length > 0) this.count += 1;
    if (differing.length === 0) return;
    this.differing.push({
      number,
      versions: altered.length > 0 ? altered : differing,
      hasIntactLine: differing.length < versions.length,
      isAltered: altered.length > 0,
      delivered: this.differing.length < MOST_DETAILED ? delivered : null,
    });
  }

  /** Returns an event in the form that the target stores events in; null for one as it was delivered. */
  private ownFormOf({ form, ownForm }: HeldEvent): OwnForm | null {
    return isOwnForm(form, this.targetKind) ? ownForm : null;
  }

  /** Compares the events that have no number in Waybill's export with those that the tested files hold with one. */
  private addUnnumbered(): void {
    for (const key of this.awaited) {
      const number = numberOf(key);
      const eventId = this.exported.idOf(number) ?? '';
      const delivered = this.unnumbered.get(eventId);
      if (delivered !== undefined) this.addNumbered(number, eventId, { ...delivered, ...number });
    }
  }

  /** Returns the comparison of the numbers with that of the contents. */
  async result(found: Reconciliation, facts: ExportFacts, { linesAt }: ContentControl): Promise<Reconciliation> {
    this.addUnnumbered();
    const wanted = this.differing.flatMap(({ delivered, versions }) => (delivered === null ? [] : versions));
    // A file that cannot be read again hides what differs in its lines, and not that they differ.
    const lines = wanted.length === 0 ? null : await linesAt(wanted).catch(() => null);
    const altered: AlteredEvent[] = [];
    const uncertain: UncertainEvent[] = [];
    for (const { number, versions, hasIntactLine, isAltered, delivered } of this.differing) {
      const [first] = versions;
      if (first === undefined) continue;
      const of = { ...number, event_id: first.eventId };
      const detailed = versions.map((one) => ({
        file: one.file,
        line: one.line,
        differences: delivered && differencesAt(delivered, number, one, lines?.get(one), this.ownFormOf(one) !== null),
      }));
      if (!isAltered) uncertain.push({ ...of, because: 'target_form', differences: detailed[0]?.differences ?? null });
      else {
        const isRead = detailed.every(({ differences }) => differences !== null);
        altered.push({ ...of, lines: detailed, has_intact_line: hasIntactLine, delivered: isRead ? null : delivered });
      }
    }
    for (const key of this.awaited) {
      const number = numberOf(key);
      const eventId = this.exported.idOf(number) ?? '';
      const because = isBeforeRecords(eventId, facts.complete_since) ? 'before_records' : 'no_record';
      uncertain.push({ ...number, event_id: eventId, because, differences: null });
    }
    const known = new Set(found.contradictions);
    const others = this.others.filter(({ reason }) => !known.has(reason));
    const compared = {
      ...found,
      altered: altered.toSorted(bySequence),
      contradictions: [...found.contradictions, ...others.map(({ reason }) => reason)],
      other_events: [...found.other_events, ...others],
      content: {
        compared: true,
        events: this.count,
        export: facts,
        uncertain: uncertain.toSorted(bySequence),
      } as const,
    };
    return { ...compared, accounted_for: isAccountedFor(compared) };
  }
}

/** Returns what differs in a line; null where the line was not read again or is another one now. */
function differencesAt(
  delivered: object,
  number: EventNumber,
  held: HeldEvent,
  line: string | undefined,
  ownForm: boolean,
): readonly Difference[] | null {
  if (line === undefined) return null;
  const isIt = (one: ExportedEvent): boolean =>
    keyOf(one.number) === keyOf(number) && digestOf(one.event) === held.digest;
  const event = eventIn(line, isIt);
  if (event === undefined) return null;
  const compared = 'epoch' in event ? delivered : withoutEpoch(delivered);
  return ownForm ? ownFormDifferencesOf(compared, event, held.form) : differencesOf(compared, event);
}

/** Returns an event of the first epoch as it was delivered before events had an epoch. */
function withoutEpoch(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'epoch'));
}

/** Returns the first event of a line that meets a condition; undefined also where the line holds none any more. */
function eventIn(line: string, condition: (one: ExportedEvent) => boolean): object | undefined {
  try {
    return eventsOfLine(line).find(condition)?.event;
  } catch {
    return undefined;
  }
}

function bySequence(a: EventNumber, b: EventNumber): number {
  return a.sequence - b.sequence;
}

/** Returns a text for a number that no other one has. */
export function keyOf({ epoch, sequence }: EventNumber): string {
  return `${epoch} ${sequence}`;
}

function numberOf(key: string): EventNumber {
  const [epoch = 0, sequence = 0] = key.split(' ').map(Number);
  return { epoch, sequence };
}
