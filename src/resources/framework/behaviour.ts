import type { Database, Transaction } from '../../database/database.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Attributes, ResourceRow } from './definition.js';

/** A create or update that is about to be written. */
export interface PendingChange {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly id: string;
  /** The resource as it is now; null for a create. */
  readonly before: ResourceRow | null;
  /** What the client asked for, on top of what is stored. */
  readonly attributes: Attributes;
}

/** A create or update that has been written, in the same transaction. */
export interface WrittenChange {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly row: ResourceRow;
  readonly before: ResourceRow | null;
}

/** A deletion that is about to be written. */
export interface PendingRemoval {
  readonly trx: Transaction;
  readonly context: RequestContext;
  readonly row: ResourceRow;
}

/**
 * What a family does beside the ordinary: each method is one point at which it may step in. A family without a behaviour is
 * plain storage with events.
 */
export interface ResourceBehaviour {
  /** Limits what the caller sees to resources whose attributes contain these; null: everything in the account. */
  visibleTo?(context: RequestContext): Attributes | null;
  /** Completes or refuses the attributes of a create or update. Throws a Problem to refuse. */
  prepare?(change: PendingChange): Promise<Attributes> | Attributes;
  /** Writes what belongs to the change beside the resource itself. May give members that only this answer shows (a token). */
  afterWrite?(change: WrittenChange): Promise<Attributes | void>;
  /** Refuses a deletion by throwing a Problem. That nothing refers to the resource is checked elsewhere. */
  beforeDelete?(removal: PendingRemoval): Promise<void> | void;
  /**
   * Members that are not the resource's own but follow from others (the tunnels that a group matches) or from settings, for
   * each of these resources in their order. Answers and the `object` of events have them; a change of them alone is no event.
   */
  derivedMembers?(
    db: Database | Transaction,
    rows: readonly ResourceRow[],
    baseUrl: string,
  ): Promise<readonly Attributes[]>;
  /** After the transaction of a create has been committed. Must not throw. */
  created?(row: ResourceRow): void;
  /**
   * After the transaction of an update has been committed, also of one that changed nothing: whoever saves a resource as it was has
   * mended what it depends on. Must not throw.
   */
  updated?(row: ResourceRow): void;
}
