import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatcher.js';
import type { EventAction } from '../../events/event-envelope.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import { requireMatch, Versioned } from '../../http/etag.js';
import type { RequestContext } from '../../http/request-context.js';
import { newId } from '../../ids/id.js';
import { notFound, Problem } from '../../problems/problem.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { Attributes, ModuleDefinition, ResourceDefinition, ResourceRow } from './definition.js';
import { assertLinkTargets, linksOf } from './links.js';
import { withoutNullModules } from './modules.js';
import { changesBetween, represent, type Changes, type Representation } from './representation.js';
import { resourceStore, type Scope } from './resource-store.js';
import { membersOf, separateSecrets, type SecretChanges } from './sealed-fields.js';
import { explainUnique } from './unique.js';

/** What every family's service works with. */
export interface ResourceServices {
  readonly db: Database;
  readonly secrets: SecretStore;
  readonly recorder: EventRecorder;
  readonly dispatcher: Dispatcher;
}

/** The members that an update changes, or what makes them from the attributes as they are. */
export type Patch = Attributes | ((current: Attributes) => Attributes);

/** Where a page of a list starts and how long it is. */
export interface PageRequest {
  readonly limit: number;
  readonly beforeId: string | undefined;
}

/**
 * The operations of one family. Each change is one transaction: the resource, its links and secrets, its event, and the
 * event's deliveries; the lanes that were touched are dispatched after the commit.
 */
export class ResourceService {
  constructor(
    readonly definition: ResourceDefinition,
    private readonly services: ResourceServices,
    private readonly behaviour: ResourceBehaviour = {},
    private readonly parentId: string | null = null,
  ) {}

  /** The same operations on the resources within one parent. Null gives this service: the family has no parent. */
  within(parentId: string | null): ResourceService {
    if (parentId === null) return this;
    return new ResourceService(this.definition, this.services, this.behaviour, parentId);
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<Versioned<Representation>> {
    return this.show(context, await this.find(context, id));
  }

  /**
   * What is stored of a resource, for the parts of it that have routes of their own.
   * @throws Problem `not_found`
   */
  async attributes(context: RequestContext, id: string): Promise<Attributes> {
    return (await this.find(context, id)).attributes;
  }

  /** Newest first. */
  async list(context: RequestContext, page: PageRequest): Promise<readonly Representation[]> {
    await this.checkParent(this.services.db, context);
    const rows = await resourceStore.page(this.services.db, this.scope(context), page);
    return rows.map((row) => represent(this.definition, row, context.baseUrl));
  }

  /**
   * Creates a resource from a valid body.
   * @throws Problem when a link points nowhere, a secret is missing, or the family refuses
   */
  async create(context: RequestContext, body: Attributes): Promise<Versioned<Representation>> {
    return this.change(body, async (trx) => {
      await this.checkParent(trx, context);
      const id = newId(this.definition.prefix);
      const asked = await this.prepare({ trx, context, id, before: null, attributes: body });
      const secrets = separateSecrets(this.definition.secrets ?? [], asked, new Map());
      const now = new Date();
      const row: ResourceRow = {
        id,
        accountId: context.accountId,
        parentId: this.parentId,
        attributes: asStored(secrets.attributes),
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      await this.checkLinks(trx, row);
      await resourceStore.insert(
        trx,
        this.definition.name,
        row,
        linksOf(this.definition.links ?? [], row.attributes),
      );
      await this.writeSecrets(trx, row, secrets);
      const shownOnce = await this.behaviour.written?.({ trx, context, row, before: null });
      const shown = this.show(context, row);
      const touched = await this.record(trx, context, 'created', row, shown.body, null);
      const answer = new Versioned({ ...shown.body, ...shownOnce }, row.version);
      await context.reservation?.remember(trx, { status: 201, body: answer.body, version: answer.version });
      return { touched, result: answer };
    });
  }

  /**
   * Changes the members that `patch` gives. A change that changes nothing writes nothing and emits nothing.
   * @param patch the members, or what makes them from the stored attributes, which are locked meanwhile
   * @throws Problem `not_found`, `precondition_failed`, or as `create`
   */
  async update(context: RequestContext, id: string, patch: Patch): Promise<Versioned<Representation>> {
    let updated: ResourceRow | undefined;
    const asked = typeof patch === 'function' ? patch : () => withoutNullModules(patch, this.modules);
    const result = await this.change(typeof patch === 'function' ? {} : patch, async (trx) => {
      const before = await this.lock(trx, context, id, 'update');
      const given = asked(before.attributes);
      const merged = { ...before.attributes, ...withoutUndefined(given) };
      const prepared = await this.prepare({ trx, context, id, before, attributes: merged });
      const stored = await this.storedSecrets(trx, before);
      const secrets = separateSecrets(this.definition.secrets ?? [], prepared, stored);
      const row: ResourceRow = {
        ...before,
        attributes: asStored(secrets.attributes),
        version: before.version + 1,
        updatedAt: new Date(),
      };
      const changes = changesBetween(
        represent(this.definition, { ...before, updatedAt: row.updatedAt }, context.baseUrl),
        represent(this.definition, row, context.baseUrl),
        membersOf(secrets),
      );
      if (changes === null) return { touched: [], result: this.show(context, before) };
      await this.checkLinks(trx, row);
      await resourceStore.replace(trx, row, linksOf(this.definition.links ?? [], row.attributes));
      await this.writeSecrets(trx, row, secrets);
      await this.behaviour.written?.({ trx, context, row, before });
      const shown = this.show(context, row);
      const touched = await this.record(trx, context, 'updated', row, shown.body, changes);
      updated = row;
      return { touched, result: shown };
    });
    if (updated) this.behaviour.updated?.(updated);
    return result;
  }

  /** @throws Problem `not_found`, `precondition_failed`, or `still_referenced` with the ids of the referrers */
  async remove(context: RequestContext, id: string): Promise<void> {
    await this.change({}, async (trx) => {
      const row = await this.lock(trx, context, id, 'deletion');
      const referrers = await resourceStore.referrers(trx, id);
      if (referrers.length > 0) {
        const detail = `The ${this.definition.title.one} ${id} is still referred to by ${referrers.join(', ')}.`;
        throw new Problem('conflict', 'still_referenced', detail, { conflicts: referrers });
      }
      const touched = await this.recordChildren(trx, context, id);
      touched.push(...(await this.record(trx, context, 'deleted', row, this.show(context, row).body, null)));
      await resourceStore.remove(trx, id);
      return { touched: [...new Set(touched)], result: undefined };
    });
  }

  /** @throws Problem `not_found` for the resource, and where it has no such module */
  async getModule(context: RequestContext, id: string, name: string): Promise<Versioned> {
    const { body, version } = await this.get(context, id);
    return new Versioned(this.moduleIn(body, name), version);
  }

  /** Replaces one module whole. @throws as `update` */
  async replaceModule(
    context: RequestContext,
    id: string,
    name: string,
    module: Attributes,
  ): Promise<Versioned> {
    const { body, version } = await this.update(context, id, { [name]: module });
    return new Versioned(this.moduleIn(body, name), version);
  }

  /** @throws Problem `not_found` for the resource, and where it has no such module */
  async removeModule(context: RequestContext, id: string, name: string): Promise<void> {
    await this.update(context, id, (current) => {
      this.moduleIn(current, name);
      return { [name]: null };
    });
  }

  private async find(context: RequestContext, id: string): Promise<ResourceRow> {
    const row = await resourceStore.find(this.services.db, this.scope(context), id);
    if (!row) throw notFound(this.definition.title.one, id);
    return row;
  }

  private get modules(): readonly ModuleDefinition[] {
    return this.definition.modules ?? [];
  }

  private moduleIn(attributes: Attributes, name: string): unknown {
    const module = attributes[name] ?? null;
    if (module !== null) return module;
    throw new Problem('not_found', 'not_found', `The ${this.definition.title.one} has no module ${name}.`);
  }

  private async checkParent(db: Database | Transaction, context: RequestContext): Promise<void> {
    const { parent } = this.definition;
    if (!parent || this.parentId === null) return;
    const scope = { accountId: context.accountId, kind: parent.kind.name, parentId: null, containing: null };
    const row = await resourceStore.find(db, scope, this.parentId);
    if (!row) throw notFound(parent.title, this.parentId);
  }

  /** The deletion of a resource is one of everything within it. */
  private async recordChildren(trx: Transaction, context: RequestContext, id: string): Promise<string[]> {
    const touched: string[] = [];
    for (const child of this.definition.children?.() ?? []) {
      const service = new ResourceService(child, this.services, {}, id);
      for (const row of await resourceStore.children(trx, id, child.name)) {
        touched.push(
          ...(await service.record(trx, context, 'deleted', row, service.show(context, row).body, null)),
        );
      }
    }
    return touched;
  }

  /** Runs one change in a transaction and dispatches what it touched. `asked` is for the words of a conflict. */
  private async change<T>(
    asked: Attributes,
    work: (trx: Transaction) => Promise<{ readonly touched: readonly string[]; readonly result: T }>,
  ): Promise<T> {
    try {
      const { touched, result } = await this.services.db.transaction().execute(work);
      this.services.dispatcher.touch(touched);
      return result;
    } catch (error) {
      throw explainUnique(error, this.definition.unique ?? [], asked);
    }
  }

  private async lock(trx: Transaction, context: RequestContext, id: string, purpose: 'update' | 'deletion') {
    const row = await resourceStore.lock(trx, this.scope(context), id, purpose);
    if (!row) throw notFound(this.definition.title.one, id);
    requireMatch(context.ifMatch, row.version);
    return row;
  }

  private prepare(
    change: Parameters<NonNullable<ResourceBehaviour['prepare']>>[0],
  ): Promise<Attributes> | Attributes {
    return this.behaviour.prepare?.(change) ?? change.attributes;
  }

  private async checkLinks(trx: Transaction, row: ResourceRow): Promise<void> {
    const links = this.definition.links ?? [];
    const ids = [...new Set(linksOf(links, row.attributes).map(({ toId }) => toId))];
    if (ids.length > 0)
      assertLinkTargets(links, row.attributes, await resourceStore.kindsOf(trx, row.accountId, ids));
  }

  private async storedSecrets(trx: Transaction, row: ResourceRow): Promise<ReadonlyMap<string, string>> {
    const has = (this.definition.secrets ?? []).length > 0;
    return has ? this.services.secrets.load(trx, row.accountId, row.id) : new Map();
  }

  private async writeSecrets(
    trx: Transaction,
    row: ResourceRow,
    { put, remove }: SecretChanges,
  ): Promise<void> {
    for (const field of remove) await this.services.secrets.remove(trx, row.id, field);
    for (const [field, plaintext] of put) {
      await this.services.secrets.put(
        trx,
        { accountId: row.accountId, resourceId: row.id, field },
        plaintext,
      );
    }
  }

  private record(
    trx: Transaction,
    context: RequestContext,
    action: EventAction,
    row: ResourceRow,
    object: Representation,
    changes: Changes | null,
  ): Promise<readonly string[]> {
    return this.services.recorder.record(trx, context, {
      type: `${this.definition.name}_${action}.v0`,
      resourceId: row.id,
      object,
      changes,
    });
  }

  private scope(context: RequestContext): Scope {
    return {
      accountId: context.accountId,
      kind: this.definition.name,
      parentId: this.parentId,
      containing: this.behaviour.visibleTo?.(context) ?? null,
    };
  }

  private show(context: RequestContext, row: ResourceRow): Versioned<Representation> {
    return new Versioned(represent(this.definition, row, context.baseUrl), row.version);
  }
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** The attributes as the database will give them back: what JSON does not keep is gone, so that comparisons are honest. */
function asStored(attributes: Attributes): Attributes {
  return JSON.parse(JSON.stringify(attributes)) as Attributes;
}
