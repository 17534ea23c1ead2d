import type { ApiClient } from '../../harness/api-client.js';
import { pagesOf } from './pages.js';

/** Event types of the load, to which the destinations of a scenario are subscribed. */
export const loadTypes = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0'] as const;

/** An event of the event log. */
export interface LoggedEvent {
  readonly id: string;
  readonly operationId: string;
  readonly resourceId: string;
}

/** The published events, read from the service's event log. Arrivals are compared with it. */
export interface EventLog {
  readonly events: ReadonlyMap<string, LoggedEvent>;
  /** Position of each event among those of its resource, from 0. */
  readonly revisions: ReadonlyMap<string, number>;
  /**
   * Number of changes without an event: events that do not follow from the previous one of their resource, and
   * resources that differ from their last event.
   */
  readonly missing: number;
}

/** An event in the response of `GET /events`. */
export interface EventResponse {
  readonly id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly payload: {
    readonly object: { readonly description: string };
    readonly changes?: {
      readonly before: { readonly description?: string };
      readonly after: { readonly description?: string };
    };
    readonly request: { readonly operation_id: string };
  };
}

interface PolicyResponse {
  readonly id: string;
  readonly description: string;
}

/** Reads the event log and all policies from the API. The load must have stopped. */
export async function readEventLog(api: ApiClient): Promise<EventLog> {
  const loaded: EventResponse[] = [];
  for await (const { events } of pagesOf(api, '/events?limit=100')) {
    const page = events as readonly EventResponse[];
    loaded.push(...page.filter(({ type }) => loadTypes.some((one) => one === type)));
  }
  const policies = new Map<string, string>();
  for await (const { ip_policies: page } of pagesOf(api, '/ip_policies?limit=100'))
    for (const { id, description } of page as readonly PolicyResponse[]) policies.set(id, description);
  return eventLogOf(loaded, policies);
}

/**
 * Builds the event log from events in any order.
 * @param policies descriptions of the existing policies, by id
 */
export function eventLogOf(responses: readonly EventResponse[], policies: ReadonlyMap<string, string>): EventLog {
  const events = new Map<string, LoggedEvent>();
  const resources = new Map<string, EventResponse[]>();
  for (const event of responses) {
    events.set(event.id, {
      id: event.id,
      operationId: event.payload.request.operation_id,
      resourceId: event.resource_id,
    });
    const own = resources.get(event.resource_id);
    if (own) own.push(event);
    else resources.set(event.resource_id, [event]);
  }
  const revisions = new Map<string, number>();
  let missing = 0;
  for (const id of policies.keys()) if (!resources.has(id)) missing += 1;
  for (const [resource, own] of resources) {
    const chain = chainOf(own);
    missing += own.length - chain.length;
    // A broken chain is already counted, and does not show how the resource should be.
    if (chain.length === own.length && descriptionAfter(chain.at(-1)) !== policies.get(resource)) missing += 1;
    for (const [revision, { id }] of chain.entries()) revisions.set(id, revision);
  }
  return { events, revisions, missing };
}

/**
 * Orders the events of one resource by their descriptions, independent of clocks and numbers. Each update holds the
 * description before and after, and no description occurs twice. Ends at a missing event.
 */
function chainOf(events: readonly EventResponse[]): readonly EventResponse[] {
  const following = new Map<string | undefined, EventResponse>();
  for (const event of events) {
    const { changes, object } = event.payload;
    if (event.type === 'ip_policy_updated.v0') following.set(changes?.before.description, event);
    else if (event.type === 'ip_policy_deleted.v0') following.set(object.description, event);
  }
  const created = events.find(({ type }) => type === 'ip_policy_created.v0');
  const chain: EventResponse[] = [];
  for (let event = created; event && chain.length < events.length;) {
    chain.push(event);
    event = event.type === 'ip_policy_deleted.v0' ? undefined : following.get(event.payload.object.description);
  }
  return chain;
}

/** Returns the description of a policy after its last event; undefined if it is deleted. */
function descriptionAfter(last: EventResponse | undefined): string | undefined {
  return last?.type === 'ip_policy_deleted.v0' ? undefined : last?.payload.object.description;
}
