import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../demo/api-client.js';

/** The types of events that the load makes, and that the destinations of a scenario are subscribed to. */
export const loadTypes = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0'] as const;

/** An event of Waybill's own log, as far as it is counted. */
export interface LoggedEvent {
  readonly id: string;
  readonly operationId: string;
  readonly resourceId: string;
}

/** What was published, by the service's own event log: the truth that arrivals are held against. */
export interface Ledger {
  readonly events: ReadonlyMap<string, LoggedEvent>;
  /** Where each event stands among those of its resource: 0 for the first. */
  readonly revisions: ReadonlyMap<string, number>;
  /**
   * Changes whose event is missing: events that do not follow from the one before of their resource, and resources that are not
   * as their last event left them.
   */
  readonly breaks: number;
}

/** An event as `GET /events` shows it, as far as it is read here. */
export interface ShownEvent {
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

interface ShownPolicy {
  readonly id: string;
  readonly description: string;
}

const PATIENCE_MS = 60_000;

/** Reads the whole log and all policies over the API, as a client does. The load must be over. */
export async function readLedger(api: ApiClient): Promise<Ledger> {
  const shown: ShownEvent[] = [];
  for await (const { events } of pagesOf(api, '/events?limit=100')) {
    const page = events as readonly ShownEvent[];
    shown.push(...page.filter(({ type }) => loadTypes.some((one) => one === type)));
  }
  const policies = new Map<string, string>();
  for await (const { ip_policies: page } of pagesOf(api, '/ip_policies?limit=100'))
    for (const { id, description } of page as readonly ShownPolicy[]) policies.set(id, description);
  return ledgerOf(shown, policies);
}

/**
 * The ledger of these events, in any order.
 * @param policies the descriptions of the policies that there are in the end, by id
 */
export function ledgerOf(shown: readonly ShownEvent[], policies: ReadonlyMap<string, string>): Ledger {
  const events = new Map<string, LoggedEvent>();
  const resources = new Map<string, ShownEvent[]>();
  for (const event of shown) {
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
  let breaks = 0;
  for (const id of policies.keys()) if (!resources.has(id)) breaks += 1;
  for (const [resource, own] of resources) {
    const chain = chainOf(own);
    breaks += own.length - chain.length;
    // A chain that is broken before its end has been counted, and does not tell how the resource should be.
    if (chain.length === own.length && leftBy(chain.at(-1)) !== policies.get(resource)) breaks += 1;
    for (const [revision, { id }] of chain.entries()) revisions.set(id, revision);
  }
  return { events, revisions, breaks };
}

/**
 * The events of one resource in the order in which its changes were made, whatever clock or number says: each update tells the
 * description before it and after it, and no description occurs twice. Ends where the next one is missing.
 */
function chainOf(events: readonly ShownEvent[]): readonly ShownEvent[] {
  const following = new Map<string | undefined, ShownEvent>();
  for (const event of events) {
    const { changes, object } = event.payload;
    if (event.type === 'ip_policy_updated.v0') following.set(changes?.before.description, event);
    else if (event.type === 'ip_policy_deleted.v0') following.set(object.description, event);
  }
  const created = events.find(({ type }) => type === 'ip_policy_created.v0');
  const chain: ShownEvent[] = [];
  for (let event = created; event && chain.length < events.length;) {
    chain.push(event);
    event =
      event.type === 'ip_policy_deleted.v0' ? undefined : following.get(event.payload.object.description);
  }
  return chain;
}

/** The description that a policy has after this event; undefined where it is gone. */
function leftBy(last: ShownEvent | undefined): string | undefined {
  return last?.type === 'ip_policy_deleted.v0' ? undefined : last?.payload.object.description;
}

async function* pagesOf(api: ApiClient, first: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let path: string | null = first; path !== null;) {
    const page = await askPatiently(api, path);
    yield page;
    path = typeof page.next_page_uri === 'string' ? pathOf(page.next_page_uri) : null;
  }
}

function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri);
  return `${pathname}${search}`;
}

/** An answer of an API that may need a moment to recover from what was done to it. */
async function askPatiently(api: ApiClient, path: string): Promise<Readonly<Record<string, unknown>>> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return (await api.send('GET', path)).body;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
