import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../../database/database.js';
import type { EventAction } from '../../events/event-envelope.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { Versioned } from '../../http/etag.js';
import type { RequestContext } from '../../http/request-context.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { Attributes, ResourceDefinition, ResourceRow } from './definition.js';
import type { Changes, Representation } from './representation.js';
import type { ResourceView } from './resource-view.js';
import type { SecretChanges } from './sealed-fields.js';

/** Dependencies of the writers of changes. */
export interface WriterServices {
  readonly secrets: SecretStore;
  readonly recorder: EventRecorder;
}

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
  readonly object: Representation;
  readonly changes?: Changes;
}

/** A create or update. */
interface ResourceChange extends Omit<ChangeEvent, 'object'> {
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
    if (resourceFirst) for (const statement of statements) await statement.execute(trx);
    await this.writeSecrets(trx, row, secrets);
    const returnedOnce = await this.behaviour.afterWrite?.({ trx, context, row, before });
    const response = await this.view.toResponse(trx, context, row);
    const event = { ...change, object: response.body };
    const destinationIds = await this.record(trx, context, event, resourceFirst ? [] : statements);
    return { row, response, destinationIds, returnedOnce: returnedOnce ?? {} };
  }

  /**
   * Records the event of a change.
   * @param statements statements of the change, to be run as one statement with the event; empty if already run
   * @returns the ids of the destinations that get the event
   */
  record(
    db: Database,
    context: RequestContext,
    { action, row, object, changes }: ChangeEvent,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    const type = `${this.definition.name}_${action}.v0` as const;
    const change = { type, resourceId: row.id, object, changes: changes ?? null };
    return this.services.recorder.record(db, context, change, statements);
  }

  /** Returns the stored secrets of a resource, by path. */
  async storedSecrets(trx: Transaction, row: ResourceRow): Promise<ReadonlyMap<string, string>> {
    const has = (this.definition.secrets ?? []).length > 0;
    return has ? this.services.secrets.load(trx, row.accountId, row.id) : new Map();
  }

  private async writeSecrets(
    trx: Transaction,
    { accountId, id: resourceId }: ResourceRow,
    { put, remove }: SecretChanges,
  ): Promise<void> {
    const { secrets } = this.services;
    for (const field of remove) await secrets.remove(trx, resourceId, field);
    for (const [field, plaintext] of put) {
      await secrets.put(trx, { accountId, resourceId, field }, plaintext);
    }
  }
}
