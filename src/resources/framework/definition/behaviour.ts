import type { Database, Transaction } from '../../../database/database.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import type { WriterServices } from '../writer/writer-services.js';
import type { Attributes, ResourceRow } from './definition.js';

/** A create or update before it is written. */
export interface PendingChange {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly id: string;
  /** The stored resource; null for a create. */
  readonly before: ResourceRow | null;
  /** The stored attributes with the changes of the request. */
  readonly attributes: Attributes;
}

/** A create or update after it was written, in the same transaction. */
export interface WrittenChange {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly row: ResourceRow;
  readonly before: ResourceRow | null;
}

/** A deletion before it is written. */
export interface PendingRemoval {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly row: ResourceRow;
}

/**
 * Hooks by which a family extends the operations of the framework. A family without a behaviour is plain storage with
 * events.
 */
export interface ResourceBehaviour {
  /**
   * Returns the attributes that a resource must contain to be visible to the caller; null: no restriction.
   */
  visibleTo?(context: RequestContext): Attributes | null;
  /**
   * Completes the body of a create by a client before its transaction begins: for work that takes time and reads no
   * stored data. Throws a Problem to refuse the create.
   */
  beforeCreate?(body: Attributes, context: RequestContext): Promise<Attributes>;
  /**
   * Checks the body of an update by a client before its transaction begins, as `beforeCreate`. Throws a Problem to
   * refuse the update.
   */
  beforeUpdate?(patch: Attributes, context: RequestContext): Promise<void>;
  /** Completes the attributes of a create or update. Throws a Problem to refuse the change. */
  prepare?(change: PendingChange): Promise<Attributes> | Attributes;
  /** Writes what belongs to the change. May return members that only this response has, such as a token. */
  afterWrite?(change: WrittenChange): Promise<Attributes | void>;
  /**
   * Writes resources that belong to this one, after its event, in the same transaction. Returns the ids of the
   * destinations that get their events. Throws a Problem to refuse the change.
   */
  writeDependents?(change: WrittenChange, services: WriterServices): Promise<readonly string[]>;
  /** Throws a Problem to refuse a deletion. `ResourceWriter` checks that nothing references the resource. */
  beforeDelete?(removal: PendingRemoval): Promise<void> | void;
  /**
   * Returns the ids of the resources of the family that are deleted with this one, where the client asks for it
   * (`deletesDependents` of the definition). Locks them against changes.
   */
  dependents?(removal: PendingRemoval): Promise<readonly string[]>;
  /**
   * Returns, for each of these resources, the members that derive from other resources (the tunnels that a group
   * matches) or from settings. Responses and the `object` of events have them; a change of them alone is no event.
   */
  derivedMembers?(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]>;
  /**
   * Called after the transaction of a create or an update has been committed, even if the update changed nothing: a
   * client may save a resource unchanged after it has repaired what the resource depends on. Must not throw.
   */
  committed?(row: ResourceRow, isNew: boolean): void;
}
