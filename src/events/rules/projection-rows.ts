import type { JsonObject } from '../envelope/json-object.js';
import { saltedCommitmentOf } from '../envelope/salted-commitment.js';
import type { EventRule } from './event-rule.js';
import { hashingSubscription, type Projector } from './projection.js';

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
  /** Of the payload, by `saltedCommitmentOf`. */
  readonly saltedCommitment: string;
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
  for (const { rules, destinationIds } of groupsOf(projecting, routes)) {
    const text = JSON.stringify(projector.projected(event, rules));
    const saltedCommitment = saltedCommitmentOf(text);
    for (const ids of chunksOf(destinationIds)) {
      yield { eventId: id, part, destinationIds: ids, payload: text, saltedCommitment };
      part += 1;
    }
  }
}

/** The destinations that receive the same payload, and the rules that make it. */
interface Group {
  readonly rules: readonly EventRule[];
  readonly destinationIds: string[];
}

function groupsOf(projecting: readonly EventRule[], routes: readonly FieldsRoute[]): readonly Group[] {
  const ruleOf = new Map(projecting.map((rule) => [rule.subscriptionId, rule]));
  const byDestination = new Map<string, EventRule[]>();
  for (const { subscriptionId, destinationIds } of routes) {
    const rule = ruleOf.get(subscriptionId);
    if (!rule) continue;
    for (const id of destinationIds) {
      const found = byDestination.get(id);
      if (found) found.push(rule);
      else byDestination.set(id, [rule]);
    }
  }
  // By the text of the fields, so that equal ones of several subscriptions count once.
  const textOf = new Map(projecting.map((rule) => [rule, JSON.stringify(rule.fields)]));
  const groups = new Map<string, Group>();
  for (const [destinationId, rules] of byDestination) {
    const texts = new Set(rules.map((rule) => textOf.get(rule) ?? ''));
    const key = `${hashingSubscription(rules)} ${[...texts].toSorted().join(',')}`;
    const group = groups.get(key);
    if (group) group.destinationIds.push(destinationId);
    else groups.set(key, { rules, destinationIds: [destinationId] });
  }
  return [...groups.values()];
}

function chunksOf(ids: readonly string[]): readonly string[][] {
  const count = Math.ceil(ids.length / MOST_DESTINATIONS);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MOST_DESTINATIONS, (index + 1) * MOST_DESTINATIONS),
  );
}
