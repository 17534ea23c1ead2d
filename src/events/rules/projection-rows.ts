import type { Stretch } from '../../timing/stretch.js';
import type { JsonObject } from '../envelope/json-object.js';
import { saltedCommitmentOf } from '../envelope/salted-commitment.js';
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
  /** Of the payload, by `saltedCommitmentOf`. */
  readonly saltedCommitment: string;
}

/** The destinations that receive the same payload, and the rules that make it. */
export interface DestinationGroup {
  readonly rules: readonly EventRule[];
  readonly destinationIds: string[];
}

/** Groups the destinations of event types by the rules that change what they receive. */
export class DestinationGroups {
  private last: { readonly of: ProjectedEvent; readonly groups: readonly DestinationGroup[] } | null = null;

  constructor(
    private readonly routes: readonly FieldsRoute[],
    private readonly projector: Projector,
    private readonly stretch: Stretch,
  ) {}

  /** Returns the groups of an event: those of the event before, where type and rules are the same. */
  async of(event: ProjectedEvent): Promise<readonly DestinationGroup[]> {
    if (this.last && isSame(this.last.of, event)) return this.last.groups;
    const groups = new Map<string, DestinationGroup>();
    for (const [destinationId, rules] of await this.rulesByDestination(event)) {
      await this.stretch.pause();
      const key = this.projector.keyOf(rules);
      const group = groups.get(key);
      if (group) group.destinationIds.push(destinationId);
      else groups.set(key, { rules, destinationIds: [destinationId] });
    }
    this.last = { of: event, groups: [...groups.values()] };
    return this.last.groups;
  }

  private async rulesByDestination({ type, projecting }: ProjectedEvent): Promise<ReadonlyMap<string, EventRule[]>> {
    const ruleOf = new Map(projecting.map((rule) => [rule.subscriptionId, rule]));
    const byDestination = new Map<string, EventRule[]>();
    for (const { eventType, subscriptionId, destinationIds } of this.routes) {
      const rule = eventType === type ? ruleOf.get(subscriptionId) : undefined;
      if (!rule) continue;
      await this.stretch.pause();
      for (const id of destinationIds) {
        const found = byDestination.get(id);
        if (found) found.push(rule);
        else byDestination.set(id, [rule]);
      }
    }
    return byDestination;
  }
}

function isSame(a: ProjectedEvent, b: ProjectedEvent): boolean {
  if (a.type !== b.type || a.projecting.length !== b.projecting.length) return false;
  return a.projecting.every((rule, index) => rule === b.projecting[index]);
}

/** Yields the rows of an event: one for each different payload, or several where the destinations are many. */
export function* projectionRows(
  { id, payload }: ProjectedEvent,
  groups: readonly DestinationGroup[],
  projector: Projector,
): Generator<ProjectionRow> {
  const event: JsonObject = JSON.parse(payload);
  let part = 0;
  for (const { rules, destinationIds } of groups) {
    const text = JSON.stringify(projector.projected(event, rules));
    const saltedCommitment = saltedCommitmentOf(text);
    for (const ids of chunksOf(destinationIds)) {
      yield { eventId: id, part, destinationIds: ids, payload: text, saltedCommitment };
      part += 1;
    }
  }
}

function chunksOf(ids: readonly string[]): readonly string[][] {
  const count = Math.ceil(ids.length / MOST_DESTINATIONS);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MOST_DESTINATIONS, (index + 1) * MOST_DESTINATIONS),
  );
}
