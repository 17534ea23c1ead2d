import type { SearchKeys } from './search-keys.js';

/** A stored event: immutable, its payload without `sequence`. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly resourceId: string;
  /** Compact JSON; empty for an event that was erased. */
  readonly payload: string;
  readonly createdAt: Date;
}

/** An event as it is read. */
export interface ReadEvent extends StoredEvent {
  /** The erasure that has removed the payload; null for all other events. */
  readonly erasureId: string | null;
}

/** A new event. */
export interface NewEvent extends StoredEvent {
  /** Of the payload, by `saltedCommitmentOf`. */
  readonly saltedCommitment: string;
  readonly search: SearchKeys;
  /** W3C `traceparent` of the span that records the event. Its deliveries link to it. */
  readonly traceParent: string | null;
}

/** A new event for one destination only. */
export interface AddressedEvent extends NewEvent {
  readonly destinationId: string;
}

/** The new event of a change. */
export interface ChangeEvent extends NewEvent {
  /** The family of the resource. */
  readonly kind: string;
  /** Whether the resource did not exist before the change. */
  readonly isNew: boolean;
}
