import type { Place } from '@waybill/verify/check';
import {
  eventsOfLine,
  FIRST_EPOCH,
  type EventForm,
  type EventNumber,
  type ExportedEvent,
} from '@waybill/verify/readers';
import { digestOf } from './canonical.js';
import type { HeldEvent } from './held-event.js';
import { OwnForms, type OwnForm } from './own-form.js';
import { idText } from './report-lines.js';

/** A number with which the export holds another event than Waybill's, or a second one. */
export interface OtherEvent extends EventNumber {
  /** The event that the export holds with it; of two, the second one. */
  readonly event_id: string;
  /** The contradiction as a sentence. */
  readonly reason: string;
}

/**
 * Events of an export, added line by line. A line is an event as it was delivered, or the record of an export that
 * wraps it, or a record of Kinesis, which may hold several. A million events need about 210 MB, and as much
 * again in a form of the target.
 */
export class ExportedEvents {
  readonly counts = {
    /** Different events. */
    events: 0,
    /** Repeated events. */
    repeats: 0,
    /** First arrivals after a higher number. */
    outOfOrder: 0,
    /** Events in lines of an export of Waybill, which do not show what the target holds. */
    ofWaybill: 0,
  };
  /** Events by sequence, for each epoch. */
  private readonly epochs = new Map<number, Map<number, HeldEvent>>();
  /** The first event of each content, by digest, for numbers that have more than one content. */
  private readonly variants = new Map<HeldEvent, Map<string, HeldEvent>>();
  private readonly ownForms = new OwnForms();
  private readonly seconds = new Map<string, OtherEvent>();
  private highestNumber: EventNumber = { epoch: 0, sequence: 0 };

  /** @param onEvent called with each event that is added */
  constructor(private readonly onEvent: (event: ExportedEvent, place: Place) => void = () => {}) {}

  /**
   * Adds the events of one line; an empty one is ignored.
   * @throws LineError if it holds no event of Waybill
   */
  add(line: string, place: Place = { file: '', line: 0 }): void {
    for (const event of eventsOfLine(line)) {
      this.onEvent(event, place);
      this.addEvent(event, place.file, place.line);
    }
  }

  private addEvent({ eventId, number, event, form, isOfWaybill }: ExportedEvent, file: string, line: number): void {
    const { epoch, sequence } = number;
    if (isOfWaybill) this.counts.ofWaybill += 1;
    const events = this.epochs.get(epoch) ?? new Map<number, HeldEvent>();
    this.epochs.set(epoch, events);
    const known = events.get(sequence);
    if (known !== undefined && known.eventId !== eventId) {
      const of = epoch === FIRST_EPOCH ? '' : ` of epoch ${epoch}`;
      const reason = `Sequence ${sequence}${of} is held by ${idText(known.eventId)} and by ${idText(eventId)}.`;
      this.seconds.set(reason, { ...number, event_id: eventId, reason });
      return;
    }
    const held: HeldEvent = { eventId, ...this.contentOf(event, form), file, line };
    if (known !== undefined) {
      this.counts.repeats += 1;
      this.addVariant(known, held);
      return;
    }
    events.set(sequence, held);
    this.counts.events += 1;
    if (isLower(number, this.highestNumber)) this.counts.outOfOrder += 1;
    else this.highestNumber = number;
  }

  /** Returns by what the content of an event is compared. One that is nested too deeply has the digest of no other. */
  private contentOf(event: ExportedEvent['event'], form: EventForm): Pick<HeldEvent, 'digest' | 'ownForm' | 'form'> {
    try {
      return { digest: digestOf(event), ownForm: form === 'delivered' ? null : this.ownForms.of(event, form), form };
    } catch {
      return { digest: '', ownForm: null, form: 'delivered' };
    }
  }

  /** Keeps a repeat whose content none of the events with its number has. */
  private addVariant(first: HeldEvent, repeat: HeldEvent): void {
    if (repeat.digest === first.digest) return;
    const versions = this.variants.get(first) ?? new Map([[first.digest, first]]);
    if (!versions.has(repeat.digest)) versions.set(repeat.digest, repeat);
    this.variants.set(first, versions);
  }

  /** Checks whether the export holds this number. */
  has(number: EventNumber): boolean {
    return this.idOf(number) !== undefined;
  }

  /** Returns the id of the event with this number, or undefined. */
  idOf(number: EventNumber): string | undefined {
    return this.first(number)?.eventId;
  }

  /** Returns the event with this number, and repeats of it that have other contents. */
  versionsOf(number: EventNumber): readonly HeldEvent[] {
    const first = this.first(number);
    return first === undefined ? [] : [...(this.variants.get(first)?.values() ?? [first])];
  }

  /** Returns whether a form holds another value than the delivered one, or lacks one (`OwnForms.isAltered`). */
  isAlteredIn(form: OwnForm, delivered: object): boolean {
    return this.ownForms.isAltered(form, delivered);
  }

  private first({ epoch, sequence }: EventNumber): HeldEvent | undefined {
    return this.epochs.get(epoch)?.get(sequence);
  }

  /** Returns the numbers of the export that meet a condition, in order. */
  numbers(condition: (number: EventNumber) => boolean): readonly EventNumber[] {
    return [...this.epochs]
      .flatMap(([epoch, events]) => Array.from(events.keys(), (sequence) => ({ epoch, sequence })).filter(condition))
      .toSorted((a, b) => (isLower(a, b) ? -1 : 1));
  }

  /** Numbers of two different events: the lines are of more than one destination. */
  get otherEvents(): readonly OtherEvent[] {
    return [...this.seconds.values()];
  }
}

/** Says that a number is held by another event than Waybill's. */
export function heldByOther(number: EventNumber, eventId: string, held: string): OtherEvent {
  const reason = `Sequence ${number.sequence} is of ${idText(eventId)}; the export holds ${idText(held)} with it.`;
  return { ...number, event_id: held, reason };
}

/** Returns whether number `a` is lower than number `b`. */
export function isLower(a: EventNumber, b: EventNumber): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.sequence < b.sequence);
}
