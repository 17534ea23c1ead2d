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

/** What changes are written with. */
export interface WriterServices {
  readonly secrets: SecretStore;
  readonly recorder: EventRecorder;
}

/** A change that was written. */
export interface Written {
  readonly row: ResourceRow;
  /** The resource as it is shown now. */
  readonly shown: Versioned<Representation>;
  /** Destinations that get the event: to be dispatched once the transaction is committed. Empty where nothing changed. */
  readonly destinationIds: readonly string[];
}

/** A resource that was made. */
export interface Created extends Written {
  /** Members that only the answer to its creation shows. */
  readonly returnedOnce: Attributes;
}

/** The event that a change is to have. */
interface ChangeEvent {
  readonly action: EventAction;
  readonly row: ResourceRow;
  readonly shown: Representation;
  readonly changes?: Changes;
}

/** A create or update that is to be written. */
interface ResourceChange extends Omit<ChangeEvent, 'shown'> {
  /** The resource as it is now; null for a create. */
  readonly before: ResourceRow | null;
  readonly secrets: SecretChanges;
  /** What writes the resource itself. */
  readonly statements: readonly RawBuilder<unknown>[];
}

/** Writes the changes of one family together with what goes with them: secrets, what the behaviour writes, and the event. */
export class ChangeWriter {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly services: WriterServices,
    private readonly behaviour: ResourceBehaviour,
    private readonly view: ResourceView,
  ) {}

  /** Whether a change writes or reads what has to find the resource written. */
  get writesBeside(): boolean {
    if (this.behaviour.afterWrite || this.behaviour.derivedMembers) return true;
    return (this.definition.secrets ?? []).length > 0;
  }

  /**
   * Writes a resource, what goes with it, and its event: in one statement, unless something has to find the resource written before
   * its event is.
   */
  async write(trx: Transaction, context: RequestContext, change: ResourceChange): Promise<Created> {
    const { row, before, secrets, statements } = change;
    const between = this.writesBeside;
    if (between) for (const statement of statements) await statement.execute(trx);
    await this.writeSecrets(trx, row, secrets);
    const returnedOnce = await this.behaviour.afterWrite?.({ trx, context, row, before });
    const shown = await this.view.toResponse(trx, context, row);
    const event = { ...change, shown: shown.body };
    const destinationIds = await this.record(trx, context, event, between ? [] : statements);
    return { row, shown, destinationIds, returnedOnce: returnedOnce ?? {} };
  }

  /**
   * Records the event of a change.
   * @param statements what writes the change, where it is not written yet: it is written in one statement with the event
   * @returns the destinations that get it
   */
  record(
    db: Database,
    context: RequestContext,
    { action, row, shown, changes }: ChangeEvent,
    statements: readonly RawBuilder<unknown>[] = [],
  ): Promise<readonly string[]> {
    const type = `${this.definition.name}_${action}.v0` as const;
    const change = { type, resourceId: row.id, object: shown, changes: changes ?? null };
    return this.services.recorder.record(db, context, change, statements);
  }

  /** The secrets that a resource has now, by path. */
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
