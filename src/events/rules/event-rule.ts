import type { EventFields } from '../../database/tables.js';

/** What a source says beside its type. */
export interface SourceRule {
  /** An expression in CEL; null: every event. */
  readonly filter: string | null;
  /** Null: the whole payload. */
  readonly fields: EventFields | null;
}

/** The rule of a source. */
export interface EventRule extends SourceRule {
  readonly eventType: string;
  readonly subscriptionId: string;
}
