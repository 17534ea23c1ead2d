import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../database/database.js';
import type { EventAction } from '../../events/event-envelope.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import { requireMatch, Versioned } from '../../http/etag.js';
import type { RequestContext } from '../../http/request-context.js';
import { newId } from '../../ids/id.js';
import { notFound, Problem } from '../../problems/problem.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { PendingChange, ResourceBehaviour } from './behaviour.js';
import type { Attributes, ResourceDefinition, ResourceRow } from './definition.js';
import { assertLinkTargets, linksOf } from './links.js';
import { changesBetween, represent, type Changes, type Representation } from './representation.js';
import { resourceStore, type Scope } from './resource-store.js';
import { membersOf, separateSecrets, type SecretChanges } from './sealed-fields.js';

/** What changes are written with. */
export interface WriterServices {
  readonly secrets: SecretStore;
  readonly recorder: EventRecorder;
}

/** Where the resources of a writer are. */
export interface Place {
  /** The resource that they exist within; null: within none, or within any. */
  readonly parentId: string | null;
  /** The lease that new ones exist under. */
  readonly leaseId: string | null;
}

/** A change that was written. */
export interface Written {
  readonly row: ResourceRow;
  /** The resource as it is shown now. */
  readonly shown: Versioned<Representation>;
  /** Destinations that get the event: to be dispatched once the transaction is committed. Empty where nothing changed. */
  readonly touched: readonly string[];
}

/** A resource that was made. */
export interface Created extends Written {
  /** Members that only the answer to its creation shows. */
  readonly shownOnce: Attributes;
}

/**
 * The changes of one family, each within a transaction of the caller's: the resource, its links and secrets, its event, and
 * the event's deliveries. What several resources share in one transaction is written with one writer each.
 */
export class ResourceWriter {
  constructor(
    readonly definition: ResourceDefinition,
    private readonly services: WriterServices,
    private readonly behaviour: ResourceBehaviour = {},
    private readonly place: Place = { parentId: null, leaseId: null },
  ) {}

  /** The same family elsewhere. */
  at(place: Partial<Place>): ResourceWriter {
    return new ResourceWriter(this.definition, this.services, this.behaviour, { ...this.place, ...place });
  }

  /**
   * Creates a resource.
   * @param body valid by the family's `create` schema
   * @throws Problem when a link points nowhere, a secret is missing, or the family refuses
   */
  async create(
    trx: Transaction,
    context: RequestContext,
    body: Attributes,
    id: string = newId(this.definition.prefix),
  ): Promise<Created> {
    const asked = await this.prepare({ trx, context, id, before: null, attributes: body });
    const secrets = separateSecrets(this.definition.secrets ?? [], asked, new Map());
    const now = new Date();
    const row: ResourceRow = {
      id,
      accountId: context.accountId,
      ...this.place,
      attributes: asStored(secrets.attributes),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    await this.checkLinks(trx, row);
    const links = linksOf(this.definition.links ?? [], row.attributes);
    await resourceStore.insert(trx, this.definition.name, row, links);
    await this.writeSecrets(trx, row, secrets);
    const shownOnce = await this.behaviour.written?.({ trx, context, row, before: null });
    const shown = await this.show(trx, context, row);
    const touched = await this.record(trx, context, 'created', row, shown.body, null);
    return { row, shown, touched, shownOnce: shownOnce ?? {} };
  }

  /**
   * Changes the members that `patch` gives. A change that changes nothing writes nothing and emits nothing.
   * @param patch makes the members from the stored attributes, which are locked meanwhile
   * @returns `changed` false when nothing did
   * @throws Problem `not_found`, `precondition_failed`, or as `create`
   */
  async update(
    trx: Transaction,
    context: RequestContext,
    id: string,
    patch: (current: Attributes) => Attributes,
  ): Promise<Written & { readonly changed: boolean }> {
    const before = await this.lock(trx, context, id, 'update');
    const merged = { ...before.attributes, ...withoutUndefined(patch(before.attributes)) };
    const prepared = await this.prepare({ trx, context, id, before, attributes: merged });
    const stored = await this.storedSecrets(trx, before);
    const secrets = separateSecrets(this.definition.secrets ?? [], prepared, stored, before.attributes);
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
    if (changes === null) {
      return { row: before, shown: await this.show(trx, context, before), touched: [], changed: false };
    }
    await this.checkLinks(trx, row);
    await resourceStore.replace(trx, row, linksOf(this.definition.links ?? [], row.attributes));
    await this.writeSecrets(trx, row, secrets);
    await this.behaviour.written?.({ trx, context, row, before });
    const shown = await this.show(trx, context, row);
    const touched = await this.record(trx, context, 'updated', row, shown.body, changes);
    return { row, shown, touched, changed: true };
  }

  /**
   * Deletes a resource with everything within it.
   * @returns the destinations that get its event, and those of what was within it
   * @throws Problem `not_found`, `precondition_failed`, or `still_referenced` with the ids of the referrers
   */
  async remove(trx: Transaction, context: RequestContext, id: string): Promise<readonly string[]> {
    const row = await this.lock(trx, context, id, 'deletion');
    await this.behaviour.removing?.({ trx, context, row });
    const referrers = await resourceStore.referrers(trx, id);
    if (referrers.length > 0) {
      const detail = `The ${this.definition.title.one} ${id} is still referred to by ${referrers.join(', ')}.`;
      throw new Problem('conflict', 'still_referenced', detail, { conflicts: referrers });
    }
    const touched = await this.recordChildren(trx, context, id);
    const shown = await this.show(trx, context, row);
    touched.push(...(await this.record(trx, context, 'deleted', row, shown.body, null)));
    await resourceStore.remove(trx, id);
    return [...new Set(touched)];
  }

  /** Shows resources, with the members that follow from others. */
  async showAll(
    db: Database | Transaction,
    context: RequestContext,
    rows: readonly ResourceRow[],
  ): Promise<readonly Representation[]> {
    const related = rows.length === 0 ? [] : await this.behaviour.related?.(db, rows, context.baseUrl);
    return rows.map((row, index) => represent(this.definition, row, context.baseUrl, related?.[index]));
  }

  /** Shows one resource, with its version. */
  async show(
    db: Database | Transaction,
    context: RequestContext,
    row: ResourceRow,
  ): Promise<Versioned<Representation>> {
    const [shown] = await this.showAll(db, context, [row]);
    if (!shown) throw new Error('A resource was not shown.');
    return new Versioned(shown, row.version, this.behaviour.related ? digestOf(shown) : null);
  }

  /** What of the family an operation is about. */
  scope(context: RequestContext): Scope {
    return {
      accountId: context.accountId,
      kind: this.definition.name,
      parentId: this.place.parentId,
      containing: this.behaviour.visibleTo?.(context) ?? null,
    };
  }

  /**
   * The deletion of a resource is one of everything within it. All of that is locked before the first event is recorded, since whoever
   * changes a part of it meanwhile holds it when they wait to record theirs.
   */
  private async recordChildren(trx: Transaction, context: RequestContext, id: string): Promise<string[]> {
    const within: { readonly writer: ResourceWriter; readonly rows: readonly ResourceRow[] }[] = [];
    for (const child of this.definition.children?.() ?? []) {
      const writer = new ResourceWriter(child, this.services, {}, { parentId: id, leaseId: null });
      within.push({ writer, rows: await resourceStore.lockChildren(trx, id, child.name) });
    }
    const touched: string[] = [];
    for (const { writer, rows } of within) {
      for (const row of rows) {
        const { body } = await writer.show(trx, context, row);
        touched.push(...(await writer.record(trx, context, 'deleted', row, body, null)));
      }
    }
    return touched;
  }

  private async lock(trx: Transaction, context: RequestContext, id: string, purpose: 'update' | 'deletion') {
    const row = await resourceStore.lock(trx, this.scope(context), id, purpose);
    if (!row) throw notFound(this.definition.title.one, id);
    requireMatch(context.ifMatch, row.version);
    return row;
  }

  private prepare(change: PendingChange): Promise<Attributes> | Attributes {
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
}

/** Twelve hexadecimal digits that tell one representation from the next. */
function digestOf(shown: Representation): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** The attributes as the database will give them back: what JSON does not keep is gone, so that comparisons are honest. */
function asStored(attributes: Attributes): Attributes {
  const stored: Attributes = JSON.parse(JSON.stringify(attributes));
  return stored;
}
