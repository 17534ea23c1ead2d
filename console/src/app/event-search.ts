import { textFilters, type EventFilter, type TextFilter } from '../api/event-filter.js';
import type { EventSelection } from '../api/events.js';
import { textParam } from './search-params.js';

/** Periods that end now, with their lengths in milliseconds. */
export const periods = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
/** A period that ends now. */
export type Period = keyof typeof periods;

/** Parameters of a search of events, as they are in an address. */
export interface EventSearch extends Readonly<Partial<Record<TextFilter, string | undefined>>> {
  readonly type?: readonly string[] | undefined;
  /** RFC 3339. */
  readonly from?: string | undefined;
  /** RFC 3339. */
  readonly to?: string | undefined;
  /** In place of `from` and `to`: events since a period ago. */
  readonly last?: Period | undefined;
  /** Undefined: newest first. */
  readonly order?: 'oldest_first' | undefined;
}

/** Reads the parameters of a search. What is not one of them is ignored. */
export function readEventSearch(search: Record<string, unknown>): EventSearch {
  const [from, to, last] = [textParam(search.from), textParam(search.to), textParam(search.last)];
  return {
    type: textsParam(search.type),
    ...Object.fromEntries(textFilters.map((name) => [name, textParam(search[name])])),
    from,
    to,
    last: from === undefined && to === undefined && isPeriod(last) ? last : undefined,
    order: search.order === 'oldest_first' ? 'oldest_first' : undefined,
  };
}

/**
 * Returns what a search selects.
 * @param now the end of a period, in milliseconds since 1970
 */
export function selectionOf({ last, order, ...filter }: EventSearch, now: number): EventSelection {
  return { filter: filterOf(filter, last, now), order: order ?? 'newest_first' };
}

/** Returns how many filters a search has. */
export function countFilters(search: EventSearch): number {
  return Object.entries(search).filter(([name, value]) => name !== 'order' && value !== undefined).length;
}

function filterOf({ type, ...others }: Omit<EventSearch, 'last' | 'order'>, last: Period | undefined, now: number) {
  const all: EventFilter = {
    ...others,
    type: type && [...type],
    from: last === undefined ? others.from : new Date(now - periods[last]).toISOString(),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  // The same members, without those that are undefined: an export refuses them, and equal filters are equal keys.
  return Object.fromEntries(given) as EventFilter;
}

function isPeriod(text: string | undefined): text is Period {
  return text !== undefined && Object.keys(periods).includes(text);
}

/** Returns the texts of a parameter; undefined where there are none. */
function textsParam(value: unknown): readonly string[] | undefined {
  const texts = [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
