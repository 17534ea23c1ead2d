import type { EventForm } from '@waybill/verify/readers';
import type { OwnForm } from './own-form.js';

/** A line of a tested file. */
export interface Place {
  /** Name or path of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What is kept of an event in the tested files. */
export interface HeldEvent extends Place {
  readonly eventId: string;
  /** `digestOf` the event. */
  readonly digest: string;
  /** Its content where the target may store it in a form of its own; else null. */
  readonly ownForm: OwnForm | null;
  readonly form: EventForm;
}

/** The events of one number that differ in their content: the first one of each content. */
export class HeldVersions {
  private readonly byContent = new Map<string, HeldEvent>();

  /** @param first the first event with the number */
  constructor(first: HeldEvent) {
    this.add(first);
  }

  /** Keeps an event whose content no event before it has. Reads its digest once, and no other one. */
  add(held: HeldEvent): void {
    const { digest } = held;
    if (!this.byContent.has(digest)) this.byContent.set(digest, held);
  }

  /** Returns the versions in the order of their first lines. */
  toArray(): readonly HeldEvent[] {
    return [...this.byContent.values()];
  }
}
