import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { Versioned } from '../../http/etag.js';
import type { RequestContext } from '../../http/request-context.js';
import { notFound, Problem } from '../../problems/problem.js';
import { withSpan } from '../../tracing/span.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { Created, WriterServices } from './change-writer.js';
import type { Attributes, ModuleDefinition, ResourceDefinition, ResourceRow } from './definition.js';
import { asSeenFromModule, withoutNullModules } from './modules.js';
import type { Representation } from './representation.js';
import { ResourceStore } from './resource-store.js';
import { ResourceView } from './resource-view.js';
import { ResourceWriter } from './resource-writer.js';
import { explainUnique } from './unique.js';

/** What every family's service works with. */
export interface ResourceServices extends WriterServices {
  readonly db: Database;
  readonly dispatcher: Dispatcher;
}

/** The injection token of `ResourceServices`. */
export const RESOURCE_SERVICES = Symbol('ResourceServices');

/** Returns the injection token of a family's service. */
export function serviceToken({ name }: ResourceDefinition): string {
  return `ResourceService:${name}`;
}

/** The members that an update changes, or what makes them from the attributes as they are. */
export type Patch = Attributes | ((current: Attributes) => Attributes);

/** Where a page of a list starts and how long it is. */
export interface PageRequest {
  readonly limit: number;
  readonly beforeId: string | undefined;
}

/**
 * The operations of one family as clients call them. Each change is one transaction; the lanes of the destinations that get its event are dispatched
 * after the commit.
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
    this.view = new ResourceView(definition, behaviour);
    this.writer = new ResourceWriter(definition, services, behaviour, { parentId, leaseId: null });
  }

  /** The same operations on the resources within one parent. Null gives this service: the family has no parent. */
  within(parentId: string | null): ResourceService {
    if (parentId === null) return this;
    return new ResourceService(this.definition, this.services, this.behaviour, parentId);
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<Versioned<Representation>> {
    return this.view.toResponse(this.services.db, context, await this.find(context, id));
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
    await this.checkParent(context);
    const rows = await this.resources.page(this.writer.scope(context), page);
    return this.view.toResponses(this.services.db, context, rows);
  }

  /**
   * Creates a resource from a valid body.
   * @throws Problem when a link points nowhere, a secret is missing, or the family refuses
   */
  async create(context: RequestContext, body: Attributes): Promise<Versioned<Representation>> {
    const atOnce = context.reservation === null && this.writer.createsAtOnce(body);
    const { row, shown, returnedOnce } = await this.dispatched(context, body, () =>
      atOnce
        ? this.writer.createAtOnce(this.services.db, context, body)
        : this.services.db.transaction().execute((trx) => this.createWithin(trx, context, body)),
    );
    this.behaviour.created?.(row);
    return new Versioned({ ...shown.body, ...returnedOnce }, shown.version, shown.digest);
  }

  private async createWithin(trx: Transaction, context: RequestContext, body: Attributes): Promise<Created> {
    await this.lockParent(trx, context);
    const made = await this.writer.create(trx, context, body);
    const response = {
      status: 201,
      body: { ...made.shown.body, ...made.returnedOnce },
      etag: made.shown.etag,
    };
    await context.reservation?.storeResponse(trx, response);
    return made;
  }

  /**
   * Changes the members that `patch` gives. A change that changes nothing writes nothing and emits nothing.
   * @param patch the members, or what makes them from the stored attributes, which are locked meanwhile
   * @throws Problem `not_found`, `precondition_failed`, or as `create`
   */
  async update(context: RequestContext, id: string, patch: Patch): Promise<Versioned<Representation>> {
    const asked = typeof patch === 'function' ? patch : () => withoutNullModules(patch, this.modules);
    const { shown, row } = await this.dispatched(context, typeof patch === 'function' ? {} : patch, () =>
      this.services.db.transaction().execute((trx) => this.writer.update(trx, context, id, asked)),
    );
    this.behaviour.updated?.(row);
    return shown;
  }

  /** @throws Problem `not_found`, `precondition_failed`, or `still_referenced` with the ids of the referrers */
  async remove(context: RequestContext, id: string): Promise<void> {
    await this.dispatched(context, {}, () =>
      this.services.db.transaction().execute(async (trx) => ({
        destinationIds: await this.writer.remove(trx, context, id),
      })),
    );
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
    try {
      const { body, version } = await this.update(context, id, { [name]: module });
      return new Versioned(this.moduleIn(body, name), version);
    } catch (error) {
      throw asSeenFromModule(error, name);
    }
  }

  /** @throws Problem `not_found` for the resource, and where it has no such module */
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
    throw new Problem('not_found', 'not_found', `The ${this.definition.title.one} has no module ${name}.`);
  }

  private async checkParent(context: RequestContext): Promise<void> {
    const { parent } = this.definition;
    if (!parent || this.parentId === null) return;
    const scope = { accountId: context.accountId, kind: parent.kind.name, parentId: null, containing: null };
    const row = await this.resources.find(scope, this.parentId);
    if (!row) throw notFound(parent.title, this.parentId);
  }

  /** As `checkParent`, and keeps the parent from being deleted before what is made in it. */
  private async lockParent(trx: Transaction, context: RequestContext): Promise<void> {
    const { parent } = this.definition;
    if (!parent || this.parentId === null) return;
    const kinds = await new ResourceStore(trx).kindsOf(context.accountId, [this.parentId]);
    if (kinds.get(this.parentId) !== parent.kind.name) throw notFound(parent.title, this.parentId);
  }

  /** Commits one change and dispatches the lanes of the destinations that get its event. `asked`: the attributes, for the detail of a conflict. */
  private async dispatched<T extends { readonly destinationIds: readonly string[] }>(
    context: RequestContext,
    asked: Attributes,
    commit: () => Promise<T>,
  ): Promise<T> {
    try {
      const committed = await withSpan(context.trace, 'transaction', {}, commit);
      this.services.dispatcher.notify(committed.destinationIds);
      return committed;
    } catch (error) {
      throw explainUnique(error, this.definition.unique ?? [], asked);
    }
  }
}
