import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '../../../database/database.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { requireMatch } from '../../../http/response/etag.js';
import { newId } from '../../../ids/id.js';
import { notFound, Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../definition/behaviour.js';
import type { Attributes, ResourceDefinition, ResourceRow } from '../definition/definition.js';
import { assertLinkTargets, linksOf, type Link } from '../definition/links.js';
import { changesBetween, represent } from '../service/representation.js';
import { ResourceView } from '../service/resource-view.js';
import type { Quota } from '../store/allowance-store.js';
import { createStatement } from '../store/create-statement.js';
import { changedRow, newRow } from '../store/resource-row.js';
import { deleteResource, insertResource, replaceResource } from '../store/resource-statements.js';
import { ResourceStore, type Scope } from '../store/resource-store.js';
import { ChangeWriter, type Created, type Written } from './change-writer.js';
import { recordInnerDeletions } from './inner-deletions.js';
import type { Allowance } from './quotas.js';
import { membersOf, separateSecrets } from './sealed-fields.js';
import type { WriterServices } from './writer-services.js';

/** Parent and lease of the resources of a writer. */
export interface Owner {
  /** The parent of the resources; null: no parent, or any. */
  readonly parentId: string | null;
  /** The lease of new resources; null: none. */
  readonly leaseId: string | null;
}

/**
 * Writes the changes of one family in a transaction of the caller: the resource, its links and secrets, its event and
 * the deliveries of the event. A transaction over several families uses one writer for each.
 */
export class ResourceWriter {
  private readonly view: ResourceView;
  private readonly changes: ChangeWriter;

  constructor(
    readonly definition: ResourceDefinition,
    private readonly services: WriterServices,
    private readonly behaviour: ResourceBehaviour = {},
    private readonly owner: Owner = { parentId: null, leaseId: null },
  ) {
    this.view = new ResourceView(definition, behaviour, services.addresses);
    this.changes = new ChangeWriter(definition, services, behaviour, this.view);
  }

  /** Returns a writer for another parent or lease. */
  withOwner(owner: Partial<Owner>): ResourceWriter {
    return new ResourceWriter(this.definition, this.services, this.behaviour, { ...this.owner, ...owner });
  }

  /**
   * Creates a resource.
   * @param body valid by the family's `create` schema
   * @param allowance null: the resource does not count against a quota
   * @throws Problem when a link has no target, a secret is missing, the quota is used up, or the behaviour refuses the
   * change
   */
  async create(
    trx: Transaction,
    context: RequestContext,
    body: Attributes,
    id: string = newId(this.definition.prefix),
    allowance: Allowance | null = null,
  ): Promise<Created> {
    const attributes = await this.prepare({ trx, context, id, before: null, attributes: body });
    const secrets = separateSecrets(this.definition.secrets ?? [], attributes, new Map());
    const row = this.newRow(context, id, secrets.attributes);
    await this.checkLinks(trx, row);
    await allowance?.claim(trx);
    const insertion = insertResource(row, this.linksOf(row), allowance?.quota);
    const change = { action: 'created', row, before: null, secrets, statements: insertion } as const;
    return this.changes.write(trx, context, change);
  }

  /**
   * Whether a create is a single statement: nothing is read before it, and only the resource and its event are written.
   * Then `createInOneStatement` needs no transaction.
   */
  isOneStatement(body: Attributes): boolean {
    const { definition, owner } = this;
    if (this.behaviour.prepare || this.changes.writesResourceFirst) return false;
    if (definition.parent || owner.parentId !== null || owner.leaseId !== null) return false;
    return linksOf(definition.links ?? [], body).length === 0;
  }

  /**
   * Creates a resource for which `isOneStatement` returns true.
   * @param quota the quota whose allowance the statement takes; null: none
   * @returns null when nothing was written, since the fan-out of the event needs a transaction: call `create`
   */
  async createInOneStatement(
    db: Database,
    context: RequestContext,
    body: Attributes,
    quota: Quota | null,
  ): Promise<Created | null> {
    const row = this.newRow(context, newId(this.definition.prefix), body);
    const response = await this.view.toResponse(db, context, row);
    const event = { action: 'created', row, object: response.body } as const;
    const statement = createStatement(row, quota);
    const destinationIds = await this.changes.recordIfSimple(db, context, event, statement);
    return destinationIds && { row, response, destinationIds, returnedOnce: {} };
  }

  /**
   * Changes the members that `patch` returns. Writes and emits nothing if they are unchanged.
   * @param patch returns the members for the stored, locked attributes
   * @throws Problem `not_found`, `precondition_failed`, or as `create`
   */
  async update(
    trx: Transaction,
    context: RequestContext,
    id: string,
    patch: (current: Attributes) => Attributes,
  ): Promise<Written> {
    const before = await this.lock(trx, context, id, 'update');
    const merged = { ...before.attributes, ...withoutUndefined(patch(before.attributes)) };
    const prepared = await this.prepare({ trx, context, id, before, attributes: merged });
    const stored = await this.changes.storedSecrets(trx, before);
    const secrets = separateSecrets(this.definition.secrets ?? [], prepared, stored, before.attributes);
    const row = changedRow(before, secrets.attributes);
    const bases = this.view.bases(context);
    const changes = changesBetween(
      represent(this.definition, { ...before, updated_at: row.updated_at }, bases),
      represent(this.definition, row, bases),
      membersOf(secrets),
    );
    if (changes === null) {
      return { row: before, response: await this.view.toResponse(trx, context, before), destinationIds: [] };
    }
    await this.checkLinks(trx, row);
    const links = this.linksOf(row);
    if (!isDeepStrictEqual(links, this.linksOf(before))) await new ResourceStore(trx).replaceLinks(id, links);
    const statements = [replaceResource(row)];
    const change = { action: 'updated', row, before, secrets, statements, changes } as const;
    return this.changes.write(trx, context, change);
  }

  /**
   * Deletes a resource with its children.
   * @param withDependents whether the resources that the behaviour names are deleted too
   * @returns the ids of the destinations that get its event or those of its children
   * @throws Problem `not_found`, `precondition_failed`, or `still_referenced` with the ids of the referrers
   */
  async remove(
    trx: Transaction,
    context: RequestContext,
    id: string,
    withDependents = false,
  ): Promise<readonly string[]> {
    const row = await this.lock(trx, context, id, 'deletion');
    // Before the check, which may lock the account: a concurrent deletion of a dependent locks it after its row.
    const dependents = withDependents ? await this.behaviour.dependents?.({ trx, context, row }) : [];
    await this.behaviour.beforeDelete?.({ trx, context, row });
    const referrers = await new ResourceStore(trx).referrers(id);
    if (referrers.length > 0) {
      const detail = `The ${this.definition.title.one} ${id} is still referenced by ${referrers.join(', ')}. Change or delete them first.`;
      throw new Problem('still_referenced', detail, { conflicts: referrers });
    }
    const parent = { definition: this.definition, id };
    const destinationIds = await recordInnerDeletions(trx, context, this.services, parent);
    const response = await this.view.toResponse(trx, context, row);
    const event = { action: 'deleted', row, object: response.body } as const;
    const add = (ids: readonly string[]) => {
      for (const receiver of ids) destinationIds.add(receiver);
    };
    add(await this.changes.record(trx, context, event, [deleteResource(id)]));
    // If-Match is about the resource itself.
    const other = { ...context, ifMatch: null };
    for (const dependent of dependents ?? []) add(await this.remove(trx, other, dependent));
    return [...destinationIds];
  }

  /** Returns the resources of the family that the caller can access. */
  scope(context: RequestContext): Scope {
    return {
      accountId: context.accountId,
      kind: this.definition.name,
      parentId: this.owner.parentId,
      containing: this.behaviour.visibleTo?.(context) ?? null,
    };
  }

  private async lock(trx: Transaction, context: RequestContext, id: string, purpose: 'update' | 'deletion') {
    const row = await new ResourceStore(trx).lock(this.scope(context), id, purpose);
    if (!row) throw notFound(this.definition.title.one, id);
    requireMatch(context.ifMatch, row.version);
    return row;
  }

  private newRow({ accountId }: RequestContext, id: string, attributes: Attributes): ResourceRow {
    const { parentId, leaseId } = this.owner;
    const kind = this.definition.name;
    return newRow({ id, account_id: accountId, kind, parent_id: parentId, lease_id: leaseId, attributes });
  }

  private prepare(change: PendingChange): Promise<Attributes> | Attributes {
    return this.behaviour.prepare?.(change) ?? change.attributes;
  }

  private async checkLinks(trx: Transaction, row: ResourceRow): Promise<void> {
    const links = this.definition.links ?? [];
    const ids = [...new Set(this.linksOf(row).map(({ toId }) => toId))];
    if (ids.length > 0)
      assertLinkTargets(links, row.attributes, await new ResourceStore(trx).kindsOf(row.account_id, ids));
  }

  private linksOf(row: ResourceRow): readonly Link[] {
    return linksOf(this.definition.links ?? [], row.attributes);
  }
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
