import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../database/database.js';
import { markProjected } from '../../../delivery/lanes/projections.js';
import { destinationTestEvent } from '../../../events/catalogue/destination-test-event.js';
import type { EventCatalogue } from '../../../events/catalogue/event-catalogue.js';
import { EventRouteStore, type EventRoute } from '../../../events/fan-out/event-route-store.js';
import { EventSnapshotStore } from '../../../events/fan-out/event-snapshot-store.js';
import { RouteFence } from '../../../events/fan-out/route-fence.js';
import { ResourceTypeStore } from '../../../events/resource-types/resource-type-store.js';
import { TypeVersionStore } from '../../../events/resource-types/type-version-store.js';
import { EventRuleStore, MOST_RULE_CHARACTERS } from '../../../events/rules/event-rule-store.js';
import { PayloadSchemas } from '../../../events/rules/payload-schemas.js';
import { MOST_FORMS, ProjectionStore } from '../../../events/rules/projection-store.js';
import { MOST_FORM_POINTERS } from '../../../events/rules/projection.js';
import { ruleErrors } from '../../../events/rules/rule-errors.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { invalidInput, type InputError } from '../../../problems/problem.js';
import type {
  PendingChange,
  PendingRemoval,
  ResourceBehaviour,
  WrittenChange,
} from '../../framework/definition/behaviour.js';
import type { Attributes, ResourceRow } from '../../framework/definition/definition.js';
import {
  destinationIdsOf,
  givenSources,
  sourcesOf,
  sourceTypes,
  storedSources,
  type Source,
} from './event-subscription.js';

/** Checks the sources of a subscription, derives its event routes, and starts its snapshots. */
export class EventSubscriptionBehaviour implements ResourceBehaviour {
  constructor(private readonly catalogue: EventCatalogue) {}

  async prepare({ trx, context, attributes, before }: PendingChange): Promise<Attributes> {
    // Sources that the request does not change are the stored ones, without their rules.
    const isKept = before !== null && attributes.sources === before.attributes.sources;
    const stored = before === null ? [] : sourcesOf(before.attributes);
    const sources = isKept ? sourcesOf(attributes) : givenSources(attributes);
    const types = sources.map(({ type }) => type);
    const others = types.filter((type) => !this.catalogue.has(type));
    const registered = await new TypeVersionStore(trx).typeIds(context.accountId, others);
    const unknown = types.flatMap((type, index) =>
      this.catalogue.has(type) || registered.has(type)
        ? []
        : [
            {
              pointer: `/sources/${index}/type`,
              detail:
                type === destinationTestEvent.type
                  ? `${type} cannot be subscribed to: a test event is delivered only to the tested destination`
                  : `${JSON.stringify(type)} is not an event type: GET /event_types lists the event types`,
            },
          ],
    );
    if (unknown.length > 0) throw invalidInput(unknown);
    const resourceTypeIds = [...new Set(registered.values())].toSorted();
    await this.checkRules(trx, context.accountId, sources, stored);
    return { ...attributes, ...storedSources(sources), resource_type_ids: resourceTypeIds };
  }

  /**
   * Checks the sources that differ from the stored ones: the rule of a stored one may no longer fit its type.
   * @throws Problem `invalid_input` for a filter or fields that do not fit the type of their source
   */
  private async checkRules(
    trx: Transaction,
    accountId: string,
    sources: readonly Source[],
    stored: readonly Source[],
  ): Promise<void> {
    const schemas = new PayloadSchemas(this.catalogue, new ResourceTypeStore(trx));
    const before = new Map(stored.map((source) => [source.type, source]));
    const errors: InputError[] = [];
    for (const [index, source] of sources.entries()) {
      if (!hasRule(source) || isDeepStrictEqual(source, before.get(source.type))) continue;
      const schema = await schemas.of(accountId, source.type);
      const found = schema ? ruleErrors(source, schema) : [];
      errors.push(...found.map((error) => ({ ...error, pointer: `/sources/${index}${error.pointer}` })));
      // Other requests run between the checks of two sources.
      await setImmediate();
    }
    if (errors.length > 0) throw invalidInput(errors);
  }

  /**
   * @throws Problem `changes_in_progress` when the new routes would miss changes in progress; `invalid_input` when a
   * type would have too many forms, or the account too long rules
   */
  async afterWrite({ trx, context, row }: WrittenChange): Promise<void> {
    const added = await new EventRouteStore(trx).replace({
      accountId: row.account_id,
      subscriptionId: row.id,
      eventTypes: sourceTypes(row.attributes),
      destinationIds: destinationIdsOf(row.attributes),
    });
    const isRuleChanged = await writeRules(trx, row);
    if (added.length === 0 && !isRuleChanged) return;
    if (sourcesOf(row.attributes).some(hasRule)) {
      await new EventRuleStore(trx).holdLimits(row.account_id);
      if (isRuleChanged) await requireFewRules(trx, row);
      await requireFewForms(trx, row);
    }
    await startSnapshots(trx, context, row, added);
    await new RouteFence(trx, row.account_id).close(() => markLanes(trx, row));
  }

  async beforeDelete({ trx, row }: PendingRemoval): Promise<void> {
    await new EventRuleStore(trx).remove(row.id);
  }
}

function hasRule({ filter, fields }: Source): boolean {
  return filter !== null || fields !== null;
}

/**
 * Writes the rules of the sources.
 * @returns whether they changed
 */
async function writeRules(trx: Transaction, { id, account_id, attributes }: ResourceRow): Promise<boolean> {
  const rules = sourcesOf(attributes)
    .filter(hasRule)
    .map(({ type, filter, fields }) => ({ eventType: type, subscriptionId: id, filter, fields }));
  return new EventRuleStore(trx).replace(account_id, id, rules);
}

/** @throws Problem `invalid_input` when the rules of the account would be too long */
async function requireFewRules(trx: Transaction, { account_id, attributes }: ResourceRow): Promise<void> {
  if (!(await new EventRuleStore(trx).areMany(account_id))) return;
  const detail = `would make the filters and fields of all subscriptions of the account longer than ${MOST_RULE_CHARACTERS} characters: shorten them, or delete some`;
  throw invalidInput(
    sourcesOf(attributes).flatMap(({ filter, fields }, index) => [
      ...(filter === null ? [] : [{ pointer: `/sources/${index}/filter`, detail }]),
      ...(fields === null ? [] : [{ pointer: `/sources/${index}/fields`, detail }]),
    ]),
  );
}

/** @throws Problem `invalid_input` when destinations would receive an event type in too many different forms */
async function requireFewForms(trx: Transaction, { account_id, attributes }: ResourceRow): Promise<void> {
  const types = sourcesOf(attributes).map(({ type, fields }) => (fields === null ? null : type));
  if (types.every((type) => type === null)) return;
  const many = await new ProjectionStore(trx).withManyForms(account_id, sourceTypes(attributes));
  if (many.size === 0) return;
  const detail = `would be sent in more than ${MOST_FORMS} different forms, or in forms of more than ${MOST_FORM_POINTERS} pointers: destinations share one where their subscriptions have the same fields without hash`;
  throw invalidInput(
    types.flatMap((type, index) =>
      type !== null && many.has(type) ? [{ pointer: `/sources/${index}/fields`, detail }] : [],
    ),
  );
}

/**
 * Marks the lanes of the destinations, where a source has fields. A worker that settles or renews waits for a lane that
 * is marked: so they are marked behind the fence, shortly before the commit.
 */
async function markLanes(trx: Transaction, { attributes }: ResourceRow): Promise<void> {
  if (sourcesOf(attributes).every(({ fields }) => fields === null)) return;
  await markProjected(destinationIdsOf(attributes)).execute(trx);
}

/** Starts a snapshot for each family whose snapshot type is among the new routes. */
async function startSnapshots(
  trx: Transaction,
  { operationId, baseUrl }: RequestContext,
  { id: subscription_id, account_id }: ResourceRow,
  added: readonly EventRoute[],
): Promise<void> {
  const destinations = new Map<string, string[]>();
  for (const { eventType, destinationId } of added) {
    const kind = /^(.+)_snapshot\.v0$/.exec(eventType)?.[1];
    if (kind === undefined) continue;
    const ids = destinations.get(kind);
    if (ids) ids.push(destinationId);
    else destinations.set(kind, [destinationId]);
  }
  const snapshots = new EventSnapshotStore(trx);
  const asked = { account_id, subscription_id, operation_id: operationId, base_url: baseUrl };
  for (const [kind, destination_ids] of destinations) {
    const snapshot = { ...asked, kind, destination_ids };
    // One that began before its source was removed, and has not ended since.
    await snapshots.leave(snapshot);
    await snapshots.create(snapshot);
  }
}
