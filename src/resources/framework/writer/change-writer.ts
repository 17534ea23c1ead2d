import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../../database/database.js';
import type { EventAction } from '../../../events/envelope/event-envelope.js';
import type { Change } from '../../../events/fan-out/event-recorder.js';
import type { PreparedCreate } from '../../../events/fan-out/fan-out-statement.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { Versioned } from '../../../http/response/etag.js';
import type { ResourceBehaviour } from '../definition/behaviour.js';
import type { Attributes, ResourceDefinition, ResourceRow } from '../definition/definition.js';
import type { Changes, Representation } from '../service/representation.js';
import type { ResourceView } from '../service/resource-view.js';
import { runTogether } from '../store/resource-statements.js';
import type { SecretChanges } from './sealed-fields.js';
import type { WriterServices } from './writer-services.js';

/** Result of a change. */
export interface Written {
  readonly row: ResourceRow;
  /** The resource after the change. */
  readonly response: Versioned<Representation>;
  /** Destinations that get the event. Dispatch their lanes after the commit. Empty if nothing changed. */
  readonly destinationIds: readonly string[];
}

/** Result of a create. */
export interface Created extends Written {
  /** Members that only the response to the create has. */
  readonly returnedOnce: Attributes;
}

/** The event of a change. */
interface ChangeEvent {
  readonly action: EventAction;
  readonly row: ResourceRow;
  /** The resource before an update. */
  readonly before?: ResourceRow | null | undefined;
  readonly object: Representation;
  readonly changes?: Changes;
}

/** A create or update. */
interface ResourceChange extends Omit<ChangeEvent, 'object' | 'before'> {
  /** The stored resource; null for a create. */
  readonly before: ResourceRow | null;
  readonly secrets: SecretChanges;
  /** The statements that write the resource. */
  readonly statements: readonly RawBuilder<unknown>[];
}

/**
 * Writes the changes of one family with their secrets, the additional writes of the behaviour, and the event.
 */
export class ChangeWriter {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly services: WriterServices,
    private readonly behaviour: ResourceBehaviour,
    private readonly view: ResourceView,
  ) {}

  /** Whether the resource must be written before its event, for secrets or the behaviour. */
  get writesResourceFirst(): boolean {
    if (this.behaviour.afterWrite || this.behaviour.derivedMembers) return true;
    return (this.definition.secrets ?? []).length > 0;
  }

  /**
   * Writes a resource and its event: in one statement, unless secrets or the behaviour need the resource to be written
   * first.
   */
  async write(trx: Transaction, context: RequestContext, change: ResourceChange): Promise<Created> {
    const { row, before, secrets, statements } = change;
    const resourceFirst = this.writesResourceFirst;
    if (resourceFirst) await runTogether(trx, statements);
    await this.writeSecrets(trx, row, secrets);
    const returnedOnce = await this.behaviour.afterWrite?.({ trx, context, row, before });
    const response = await this.view.toResponse(trx, context, row);
    const event = { ...change, object: response.body };
    const destinationIds = await this.record(trx, context, event, resourceFirst ? [] : statements);
    const dependents = await this.behaviour.writeDependents?.({ trx, context, row, before }, this.services);
    const notified = dependents ? [...new Set([...destinationIds, ...dependents])] : destinationIds;
    return { row, response, destinationIds: notified, returnedOnce: returnedOnce ?? {} };
  }

  /**
   * Records the event of a change.
   * @param statements statements of the change, to be run as one statement with the event; empty if already run
   * @returns the ids of the destinations that get the event
   */
  record(
    trx: Transaction,
    context: RequestContext,
    event: ChangeEvent,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    return this.services.recorder.record(trx, context, this.changeOf(trx, context, event), statements);
  }

  /**
   * Records the deletions of resources, which are locked.
   * @returns the ids of the destinations that get the events
   */
  recordDeletions(
    trx: Transaction,
    context: RequestContext,
    pages: AsyncIterable<readonly ResourceRow[]>,
  ): Promise<ReadonlySet<string>> {
    const { name } = this.definition;
    const of = { kind: name, type: `${name}_deleted.v0` } as const;
    return this.services.recorder.recordDeletions(trx, context, of, this.deletionsOf(trx, context, pages));
  }

  private async *deletionsOf(
    trx: Transaction,
    context: RequestContext,
    pages: AsyncIterable<readonly ResourceRow[]>,
  ): AsyncGenerator<readonly Change[]> {
    for await (const rows of pages) {
      const objects = await this.view.toResponses(trx, context, rows);
      yield rows.flatMap((row, index) => {
        const object = objects[index];
        return object ? [this.changeOf(trx, context, { action: 'deleted', row, object })] : [];
      });
    }
  }

  /**
   * Records the create of a resource and its event in one statement.
   * @returns the ids of the destinations that get the event; null when nothing was written, since the change needs a
   * transaction
   */
  recordIfSimple(
    db: Database,
    context: RequestContext,
    event: ChangeEvent,
    create: PreparedCreate,
  ): Promise<readonly string[] | null> {
    return this.services.recorder.recordIfSimple(db, context, this.changeOf(db, context, event), create);
  }

  private changeOf(db: Database, context: RequestContext, event: ChangeEvent): Change {
    const { action, row, object, changes } = event;
    const { name } = this.definition;
    return {
      kind: name,
      type: `${name}_${action}.v0`,
      resourceId: row.id,
      // A deletion writes no row. Its version is the one after that of the last row.
      version: action === 'deleted' ? row.version + 1 : row.version,
      object,
      changes: changes ?? null,
      before: this.stateBefore(db, context, event),
    };
  }

  /** Returns what reads the representation before a change; null for a create. */
  private stateBefore(db: Database, context: RequestContext, { action, row, before, object }: ChangeEvent) {
    if (action === 'deleted') return () => Promise.resolve(new Versioned(object, row.version));
    return before ? () => this.view.toResponse(db, context, before) : null;
  }

  /** Returns the stored secrets of a resource, by path; null for one that cannot be decrypted. */
  async storedSecrets(trx: Transaction, row: ResourceRow): Promise<ReadonlyMap<string, string | null>> {
    const has = (this.definition.secrets ?? []).length > 0;
    const stored = has ? (await this.services.secrets.loadAll(trx, [row])).get(row.id) : undefined;
    return new Map([...(stored?.opened ?? []), ...(stored?.unreadable ?? []).map((field) => [field, null] as const)]);
  }

  private async writeSecrets(
    trx: Transaction,
    { account_id: accountId, id: resourceId }: ResourceRow,
    { put, remove }: SecretChanges,
  ): Promise<void> {
    const { secrets } = this.services;
    for (const field of remove) await secrets.remove(trx, resourceId, field);
    for (const [field, plaintext] of put) {
      await secrets.put(trx, { accountId, resourceId, field }, plaintext);
    }
  }
}
