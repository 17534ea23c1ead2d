import type { Place } from '@waybill/verify/check';
import type { EventForm } from '@waybill/verify/readers';
import type { OwnForm } from './own-form.js';

/** What is kept of an event in the tested files. */
export interface HeldEvent extends Place {
  readonly eventId: string;
  /** `digestOf` the event. */
  readonly digest: string;
  /** Its content where the target may store it in a form of its own; else null. */
  readonly ownForm: OwnForm | null;
  readonly form: EventForm;
}
