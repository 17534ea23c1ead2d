import type { Database, Transaction } from '../../../database/database.js';
import type { Dispatcher } from '../../../delivery/dispatch/dispatcher.js';
import { storeResponses } from '../../../http/idempotency/idempotency-store.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { Versioned } from '../../../http/response/etag.js';
import { tokenOf, type Token } from '../../../lifecycle/provide.js';
import { notFound, Problem, relativeTo } from '../../../problems/problem.js';
import { withSpan } from '../../../tracing/span.js';
import type { ResourceBehaviour } from '../definition/behaviour.js';
import type { Attributes, ModuleDefinition, ResourceDefinition, ResourceRow } from '../definition/definition.js';
import { withoutNullModules } from '../definition/modules.js';
import { ResourceStore, type PageRequest } from '../store/resource-store.js';
import type { Created } from '../writer/change-writer.js';
import type { Allowance, Quotas } from '../writer/quotas.js';
import { ResourceWriter } from '../writer/resource-writer.js';
import { explainUnique } from '../writer/unique.js';
import type { WriterServices } from '../writer/writer-services.js';
import type { Representation } from './representation.js';
import { ResourceView } from './resource-view.js';

/** Dependencies of the services of the families. */
export interface ResourceServices extends WriterServices {
  readonly db: Database;
  readonly dispatcher: Dispatcher;
  readonly quotas: Quotas;
}

/** The injection token of `ResourceServices`. */
export const RESOURCE_SERVICES = tokenOf<ResourceServices>('ResourceServices');

/** The injection token of the services of all families, by the name of the family. */
export const FAMILY_SERVICES = tokenOf<ReadonlyMap<string, ResourceService>>('FamilyServices');

/** Returns the injection token of a family's service. */
export function serviceToken({ name }: ResourceDefinition): Token<ResourceService> {
  return tokenOf(`ResourceService ${name}`);
}

/** The members that an update changes, or a function that returns them for the stored attributes. */
export type Patch = Attributes | ((current: Attributes) => Attributes);

/** Resources of a page. */
export interface ListedResources {
  readonly items: readonly Representation[];
  /** As in `ResourcePage`. */
  readonly resumeAt: string | null;
}

/**
 * The operations of one family. Each change is one transaction. The lanes of the destinations that get its event are
 * dispatched after the commit.
 */
export class ResourceService {
  private readonly resources: ResourceStore;
  private readonly view: ResourceView;
  private readonly writer: ResourceWriter;

  constructor(
    readonly definition: ResourceDefinition,
    private readonly services: ResourceServices,
    private readonly behaviour: ResourceBehaviour = {},
    private readonly parentId: string | null = null,
  ) {
    this.resources = new ResourceStore(services.db);
    this.view = new ResourceView(definition, behaviour, services.addresses);
    this.writer = new ResourceWriter(definition, services, behaviour, { parentId, leaseId: null });
  }

  /**
   * Returns the service for the resources within one parent; itself for null, where the family has no parent.
   */
  within(parentId: string | null): ResourceService {
    if (parentId === null) return this;
    return new ResourceService(this.definition, this.services, this.behaviour, parentId);
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<Versioned<Representation>> {
    return this.view.toResponse(this.services.db, context, await this.find(context, id));
  }

  /**
   * As `get`, and locks the resource against changes until the transaction ends.
   * @throws Problem `not_found`
   */
  async getLocked(trx: Transaction, context: RequestContext, id: string): Promise<Versioned<Representation>> {
    const rows = await new ResourceStore(trx).lockUnchanged(this.writer.scope(context), [id], true);
    const row = rows.get(id);
    if (!row) throw notFound(this.definition.title.one, id);
    return this.view.toResponse(trx, context, row);
  }

  /**
   * Returns the stored attributes of a resource, for parts of it with their own routes.
   * @throws Problem `not_found`
   */
  async attributes(context: RequestContext, id: string): Promise<Attributes> {
    return (await this.find(context, id)).attributes;
  }

  /** Returns the attributes that a resource must contain to be visible to the caller; null: no restriction. */
  visibleTo(context: RequestContext): Attributes | null {
    return this.writer.scope(context).containing;
  }

  /** Returns resources of a page, newest first. */
  async list(context: RequestContext, page: PageRequest): Promise<ListedResources> {
    await this.checkParent(context);
    const { rows, resumeAt } = await this.resources.page(this.writer.scope(context), page);
    return { items: await this.view.toResponses(this.services.db, context, rows), resumeAt };
  }

  /**
   * Returns stored resources of one account as events report them, in their order.
   * @param db sees the resources
   */
  async report(
    db: Database,
    context: RequestContext,
    rows: readonly ResourceRow[],
  ): Promise<readonly Versioned<Representation>[]> {
    const representations = await this.view.toResponses(db, context, rows);
    return rows.map(({ version }, index) => {
      const representation = representations[index];
      if (!representation) throw new Error('A resource has no representation.');
      return new Versioned(representation, version);
    });
  }

  /**
   * Creates a resource from a valid body.
   * @throws Problem when a link has no target, a secret is missing, the quota is used up, or the behaviour refuses the
   * change
   */
  async create(context: RequestContext, given: Attributes): Promise<Versioned<Representation>> {
    const body = (await this.behaviour.beforeCreate?.(given, context)) ?? given;
    const { quotas } = this.services;
    const { row, response, returnedOnce } = await this.dispatched(context, body, () =>
      quotas.within(this.definition, context.accountId, (allowance) => this.commitCreate(context, body, allowance)),
    );
    this.behaviour.committed?.(row, true);
    return new Versioned({ ...response.body, ...returnedOnce }, response.version, response.digest);
  }

  private async commitCreate(context: RequestContext, body: Attributes, allowance: Allowance | null): Promise<Created> {
    const { db } = this.services;
    const counts = allowance !== null && allowance.quota === null;
    if (context.reservation === null && !counts && this.writer.isOneStatement(body)) {
      const created = await this.writer.createInOneStatement(db, context, body, allowance?.quota ?? null);
      if (created) return created;
    }
    return db.transaction().execute((trx) => this.createWithin(trx, context, body, allowance));
  }

  private async createWithin(
    trx: Transaction,
    context: RequestContext,
    body: Attributes,
    allowance: Allowance | null,
  ): Promise<Created> {
    await this.lockParent(trx, context);
    const created = await this.writer.create(trx, context, body, undefined, allowance);
    const { response } = created;
    // Without the members that are returned once: a replay does not show a token again.
    const sealed = context.reservation?.sealed({ status: 201, body: response.body, etag: response.etag });
    await storeResponses(trx, [sealed]);
    return created;
  }

  /**
   * Changes the members in `patch`. Writes and emits nothing if they are unchanged.
   * @param patch the members, or a function that returns them for the stored, locked attributes
   * @throws Problem `not_found`, `precondition_failed`, or as `create`
   */
  async update(context: RequestContext, id: string, patch: Patch): Promise<Versioned<Representation>> {
    const changes = typeof patch === 'function' ? patch : () => withoutNullModules(patch, this.modules);
    const body = typeof patch === 'function' ? {} : patch;
    await this.behaviour.beforeUpdate?.(body, context);
    const { response, row } = await this.dispatched(context, body, () =>
      this.services.db.transaction().execute((trx) => this.writer.update(trx, context, id, changes)),
    );
    this.behaviour.committed?.(row, false);
    return response;
  }

  /**
   * @param withDependents whether the resources that the behaviour names are deleted too
   * @throws Problem `not_found`, `precondition_failed`, or `still_referenced` with the ids of the referrers
   */
  async remove(context: RequestContext, id: string, withDependents = false): Promise<void> {
    await this.dispatched(context, {}, () =>
      this.services.db.transaction().execute(async (trx) => ({
        destinationIds: await this.writer.remove(trx, context, id, withDependents),
      })),
    );
  }

  /** @throws Problem `not_found` when the resource does not exist or the module is not set */
  async getModule(context: RequestContext, id: string, name: string): Promise<Versioned> {
    const { body, version } = await this.get(context, id);
    return new Versioned(this.moduleIn(body, name), version);
  }

  /** Replaces one module. @throws as `update` */
  async replaceModule(context: RequestContext, id: string, name: string, module: Attributes): Promise<Versioned> {
    try {
      const { body, version } = await this.update(context, id, { [name]: module });
      return new Versioned(this.moduleIn(body, name), version);
    } catch (error) {
      throw relativeTo(error, `/${name}`);
    }
  }

  /** @throws Problem `not_found` when the resource does not exist or the module is not set */
  async removeModule(context: RequestContext, id: string, name: string): Promise<void> {
    await this.update(context, id, (current) => {
      this.moduleIn(current, name);
      return { [name]: null };
    });
  }

  private async find(context: RequestContext, id: string): Promise<ResourceRow> {
    const row = await this.resources.find(this.writer.scope(context), id);
    if (!row) throw notFound(this.definition.title.one, id);
    return row;
  }

  private get modules(): readonly ModuleDefinition[] {
    return this.definition.modules ?? [];
  }

  private moduleIn(attributes: Attributes, name: string): unknown {
    const module = attributes[name] ?? null;
    if (module !== null) return module;
    throw new Problem('not_found', `The module ${name} of the ${this.definition.title.one} is not set.`);
  }

  private async checkParent(context: RequestContext): Promise<void> {
    const { parent } = this.definition;
    if (!parent || this.parentId === null) return;
    const scope = { accountId: context.accountId, kind: parent.kind.name, parentId: null, containing: null };
    const row = await this.resources.find(scope, this.parentId);
    if (!row) throw notFound(parent.title, this.parentId);
  }

  /** As `checkParent`, and locks the parent against deletion until the transaction ends. */
  private async lockParent(trx: Transaction, context: RequestContext): Promise<void> {
    const { parent } = this.definition;
    if (!parent || this.parentId === null) return;
    const kinds = await new ResourceStore(trx).kindsOf(context.accountId, [this.parentId]);
    if (kinds.get(this.parentId) !== parent.kind.name) throw notFound(parent.title, this.parentId);
  }

  /**
   * Commits a change and dispatches the lanes of its destinations.
   * @param attributes for the detail of a conflict
   */
  private async dispatched<T extends { readonly destinationIds: readonly string[] }>(
    context: RequestContext,
    attributes: Attributes,
    commit: () => Promise<T>,
  ): Promise<T> {
    try {
      const committed = await withSpan(context.trace, 'transaction', {}, commit);
      this.services.dispatcher.notify(committed.destinationIds);
      return committed;
    } catch (error) {
      throw explainUnique(error, this.definition.unique ?? [], attributes);
    }
  }
}
