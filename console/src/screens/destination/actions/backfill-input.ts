import type { CreateBackfill } from '@waybill/client';
import type { Zone } from '../../../preferences/preferences.js';
import { fromInputTime } from '../../../time/input-time.js';

/** The fields of a backfill while a person types them. */
export interface BackfillDraft {
  /** Values of fields `datetime-local`. */
  readonly from: string;
  readonly to: string;
  /** Event types with spaces, commas or lines between them. Empty: all that subscriptions send to the destination. */
  readonly types: string;
  readonly filter: string;
  readonly rate: string;
}

/** Highest number of events in a second that the API accepts. */
const HIGHEST_RATE = 1_000;

/** Returns what is missing or wrong; null where the backfill can be requested. */
export function faultOfBackfill({ from, to, rate }: BackfillDraft, zone: Zone): string | null {
  const [begin, end] = [fromInputTime(from, zone), fromInputTime(to, zone)];
  if (begin === undefined) return 'Fill in “Events from”.';
  if (end !== undefined && begin >= end) return 'The end must be later than the start.';
  if (rate !== '' && (!/^\d{1,4}$/.test(rate) || Number(rate) < 1 || Number(rate) > HIGHEST_RATE)) {
    return `The rate must be a whole number from 1 to ${HIGHEST_RATE.toLocaleString('en')}.`;
  }
  return null;
}

/** Returns the request of a draft without a fault. */
export function backfillInputOf({ from, to, types, filter, rate }: BackfillDraft, zone: Zone): CreateBackfill {
  const end = fromInputTime(to, zone);
  const names = [...new Set(types.split(/[\s,]+/).filter(Boolean))];
  return {
    from: fromInputTime(from, zone) ?? '',
    ...(end !== undefined && { to: end }),
    ...(names.length > 0 && { types: names }),
    ...(filter.trim() !== '' && { filter: filter.trim() }),
    ...(rate !== '' && { events_per_second: Number(rate) }),
  };
}
