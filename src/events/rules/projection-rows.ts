import type { EventFields } from '../../database/tables.js';
import type { JsonObject } from '../json-object.js';
import type { EventRule } from './event-rule.js';
import type { Projector } from './projection.js';

/** Most destinations of one row. */
const MOST_DESTINATIONS = 2_000;

/** A recorded event, with the rules that change what destinations receive of it. */
export interface ProjectedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: string;
  readonly projecting: readonly EventRule[];
}

/** The destinations that a subscription with fields sends events of a type to. */
export interface FieldsRoute {
  readonly eventType: string;
  readonly subscriptionId: string;
  readonly destinationIds: readonly string[];
}

/** The payload of an event for some destinations. */
export interface ProjectionRow {
  readonly eventId: string;
  readonly part: number;
  readonly destinationIds: readonly string[];
  readonly payload: string;
}

/**
 * Yields the rows of an event: one for each different payload, or several where the destinations are many.
 * @param routes of the type of the event
 */
export function* projectionRows(
  { id, payload, projecting }: ProjectedEvent,
  routes: readonly FieldsRoute[],
  projector: Projector,
): Generator<ProjectionRow> {
  const event: JsonObject = JSON.parse(payload);
  let part = 0;
  for (const { fields, destinationIds } of groupsOf(projecting, routes)) {
    const text = JSON.stringify(projector.projected(event, fields));
    for (const ids of chunksOf(destinationIds)) {
      yield { eventId: id, part, destinationIds: ids, payload: text };
      part += 1;
    }
  }
}

/** Returns the destinations that receive the same payload, with the fields that apply to it. */
function groupsOf(
  projecting: readonly EventRule[],
  routes: readonly FieldsRoute[],
): readonly { readonly fields: readonly EventFields[]; readonly destinationIds: readonly string[] }[] {
  // By their text, so that equal fields of several subscriptions count once.
  const fieldsOf = new Map(projecting.map(({ subscriptionId, fields }) => [subscriptionId, JSON.stringify(fields)]));
  const byDestination = new Map<string, Set<string>>();
  for (const { subscriptionId, destinationIds } of routes) {
    const fields = fieldsOf.get(subscriptionId);
    if (fields === undefined) continue;
    for (const id of destinationIds) {
      const found = byDestination.get(id);
      if (found) found.add(fields);
      else byDestination.set(id, new Set([fields]));
    }
  }
  const groups = new Map<string, string[]>();
  for (const [destinationId, fields] of byDestination) {
    const key = `[${[...fields].toSorted().join(',')}]`;
    const group = groups.get(key);
    if (group) group.push(destinationId);
    else groups.set(key, [destinationId]);
  }
  return [...groups].map(([key, destinationIds]) => {
    const fields: readonly EventFields[] = JSON.parse(key);
    return { fields, destinationIds };
  });
}

function chunksOf(ids: readonly string[]): readonly string[][] {
  const count = Math.ceil(ids.length / MOST_DESTINATIONS);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MOST_DESTINATIONS, (index + 1) * MOST_DESTINATIONS),
  );
}
