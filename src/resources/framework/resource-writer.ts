import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RawBuilder } from 'kysely';
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
import { assertLinkTargets, linksOf, type Link } from './links.js';
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

/** The event that a change is to have. */
interface Recorded {
  readonly action: EventAction;
  readonly row: ResourceRow;
  readonly shown: Representation;
  readonly changes?: Changes;
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
    const row = this.newRow(context, id, secrets.attributes);
    await this.checkLinks(trx, row);
    const insertion = resourceStore.insertion(this.definition.name, row, this.linksOf(row));
    return this.write(trx, context, { action: 'created', row, before: null, secrets, statements: insertion });
  }

  /**
   * Whether a create is one statement whatever happens: nothing is looked up before it, and nothing is written beside the
   * resource and its event. Then `createAtOnce` does the same without a transaction around it.
   */
  createsAtOnce(body: Attributes): boolean {
    const { definition, place } = this;
    if (this.behaviour.prepare || this.writesBeside) return false;
    if (definition.parent || place.parentId !== null || place.leaseId !== null) return false;
    return linksOf(definition.links ?? [], body).length === 0;
  }

  /** Creates a resource where `createsAtOnce` says that one statement, a transaction by itself, does it. */
  async createAtOnce(db: Database, context: RequestContext, body: Attributes): Promise<Created> {
    const row = this.newRow(context, newId(this.definition.prefix), body);
    const shown = await this.show(db, context, row);
    const recorded: Recorded = { action: 'created', row, shown: shown.body };
    const insertion = resourceStore.insertion(this.definition.name, row, []);
    const touched = await this.record(db, context, recorded, insertion);
    return { row, shown, touched, shownOnce: {} };
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
    const links = this.linksOf(row);
    if (!isDeepStrictEqual(links, this.linksOf(before))) await resourceStore.replaceLinks(trx, id, links);
    const statements = [resourceStore.replacement(row)];
    const change = { action: 'updated', row, before, secrets, statements, changes } as const;
    return { ...(await this.write(trx, context, change)), changed: true };
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
    const recorded: Recorded = { action: 'deleted', row, shown: shown.body };
    touched.push(...(await this.record(trx, context, recorded, [resourceStore.deletion(id)])));
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
        touched.push(...(await writer.record(trx, context, { action: 'deleted', row, shown: body })));
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

  /** A resource that is about to be made. */
  private newRow(context: RequestContext, id: string, attributes: Attributes): ResourceRow {
    const now = new Date();
    return {
      id,
      accountId: context.accountId,
      ...this.place,
      attributes: asStored(attributes),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Whether a change writes or reads what has to find the resource written. */
  private get writesBeside(): boolean {
    if (this.behaviour.written || this.behaviour.related) return true;
    return (this.definition.secrets ?? []).length > 0;
  }

  /**
   * Writes a resource, what goes with it, and its event: in one statement, unless something has to find the resource written before
   * its event is.
   */
  private async write(
    trx: Transaction,
    context: RequestContext,
    change: Omit<Recorded, 'shown'> & {
      readonly before: ResourceRow | null;
      readonly secrets: SecretChanges;
      readonly statements: readonly RawBuilder<unknown>[];
    },
  ): Promise<Created> {
    const { row, before, secrets, statements } = change;
    const between = this.writesBeside;
    if (between) for (const statement of statements) await statement.execute(trx);
    await this.writeSecrets(trx, row, secrets);
    const shownOnce = await this.behaviour.written?.({ trx, context, row, before });
    const shown = await this.show(trx, context, row);
    const recorded: Recorded = { ...change, shown: shown.body };
    const touched = await this.record(trx, context, recorded, between ? [] : statements);
    return { row, shown, touched, shownOnce: shownOnce ?? {} };
  }

  private prepare(change: PendingChange): Promise<Attributes> | Attributes {
    return this.behaviour.prepare?.(change) ?? change.attributes;
  }

  private async checkLinks(trx: Transaction, row: ResourceRow): Promise<void> {
    const links = this.definition.links ?? [];
    const ids = [...new Set(this.linksOf(row).map(({ toId }) => toId))];
    if (ids.length > 0)
      assertLinkTargets(links, row.attributes, await resourceStore.kindsOf(trx, row.accountId, ids));
  }

  private linksOf(row: ResourceRow): readonly Link[] {
    return linksOf(this.definition.links ?? [], row.attributes);
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
    db: Database,
    context: RequestContext,
    { action, row, shown, changes }: Recorded,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    const type = `${this.definition.name}_${action}.v0` as const;
    const change = { type, resourceId: row.id, object: shown, changes: changes ?? null };
    return this.services.recorder.record(db, context, change, statements);
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
