import type { Event } from '@waybill/client';
import { changesIn } from '../../api/events.js';
import { orderedLike } from '../../components/value-changes.js';
import { diffLines, type DiffRow } from './line-diff.js';

type Members = Readonly<Record<string, unknown>>;

/** What an event says of its resource before and after it. */
export interface EventChanges {
  /** Null: the resource did not exist, or the event says nothing of it. */
  readonly before: Members | null;
  /** Null: the resource was deleted. */
  readonly after: Members | null;
  /** Changed members whose old values do not fit into the event. */
  readonly omitted: readonly string[];
}

/** Returns what an event says of its resource before and after it. */
export function changesOf({ type, payload }: Pick<Event, 'type' | 'payload'>): EventChanges {
  if (payload === null) return { before: null, after: null, omitted: [] };
  const object: Members = { ...payload.object };
  const changes = changesIn(payload);
  if (changes !== null) {
    const { before, after, omitted } = changes;
    return { before: undone(object, before, after), after: object, omitted };
  }
  if (/_deleted\.v\d+$/.test(type)) return { before: object, after: null, omitted: [] };
  return { before: null, after: object, omitted: [] };
}

/** Returns a resource before a change. Members have the order of the resource, so that equal values are equal lines. */
function undone(object: Members, before: Members, after: Members): Members {
  const kept = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    if (Object.hasOwn(before, name)) return [[name, orderedLike(before[name], value)]];
    return Object.hasOwn(after, name) ? [] : [[name, value]];
  });
  const gone = Object.entries(before).filter(([name]) => !Object.hasOwn(object, name));
  return Object.fromEntries([...kept, ...gone]);
}

/** Returns both sides line by line, as JSON. */
export function changedLines({ before, after }: EventChanges): readonly DiffRow[] {
  return diffLines(linesOf(before), linesOf(after));
}

function linesOf(members: Members | null): readonly string[] {
  return members === null ? [] : JSON.stringify(members, null, 2).split('\n');
}
