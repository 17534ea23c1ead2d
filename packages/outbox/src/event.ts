/** A change of a resource. Waybill's docs/publishing.md describes the members. */
export interface OutboxEvent {
  /** `<resource type>_<action>.v<version>`, such as `order_created.v0`. */
  readonly type: string;
  /** Id of the resource, 1 to 255 characters. Events of one resource keep their order. */
  readonly resourceId: string;
  /** The resource after the change; for a deletion, its last state: a row, an entity, any object but a list. */
  readonly object: object;
  /** The changed members. Waybill computes them for events without, if the resource type has `changes: computed`. */
  readonly changes?: { readonly before: object; readonly after: object };
  /** Who made the change. Default: the setting `waybill.principal` of the transaction, else the principal `unknown`. */
  readonly principal?: EventPrincipal;
  /** The request that made the change. Default: the setting `waybill.request` of the transaction. */
  readonly request?: EventRequest;
  /** Default: the time of the call, by the clock of the database. */
  readonly occurredAt?: Date;
}

/** Who made a change. */
export interface EventPrincipal {
  /** 1 to 255 characters. A number is recorded as text. */
  readonly id: string | number | bigint;
  /** Display name. Default: the id. */
  readonly subject?: string | undefined;
}

/** A request to the API that made a change. */
export interface EventRequest {
  readonly id?: string | undefined;
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}
