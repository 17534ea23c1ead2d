import type { Place } from '@waybill/verify/check';
import type { EventNumber } from '@waybill/verify/readers';
import type { Difference } from './differences.js';
import type { ExportFacts } from './waybill-export.js';

/** An event that the tested files hold with content other than what Waybill delivered. */
export interface AlteredEvent extends EventNumber {
  readonly event_id: string;
  /** The lines with other content. */
  readonly lines: readonly AlteredLine[];
  /** Whether another line holds it as it was delivered. */
  readonly has_intact_line: boolean;
  /** What Waybill delivered, where the line cannot be read again: standard input. Else null. */
  readonly delivered: object | null;
  /**
   * Whether the signed log has the event as the files hold it: then Waybill's own record is altered. Null where it was
   * not verified; absent without a verifier key.
   */
  readonly in_log?: boolean | null;
}

/** A line with content other than what Waybill delivered. */
export interface AlteredLine extends Place {
  /** Null where the line was not read again: after the first 100 numbers, and from standard input. */
  readonly differences: readonly Difference[] | null;
}

/** An event whose content was not compared. */
export interface UncertainEvent extends EventNumber {
  readonly event_id: string;
  /**
   * `target_form`: the target stores events in a form of its own, in which this one lacks members that
   * no event of the files has, or has members that were not delivered. `before_records`: it is
   * older than the records that Waybill still has: the retention may have removed the event or its delivery.
   * `no_record`: Waybill has no record of it, and its retention does not explain that. `erased`: an erasure record
   * names it; without a verifier key, the record was not verified.
   */
  readonly because: 'target_form' | 'before_records' | 'no_record' | 'erased';
  /** Of `target_form`: what differs, without the changes that the form explains. Null where it is not known. */
  readonly differences: readonly Difference[] | null;
}

/** What was compared of the contents. */
export type ContentComparison =
  | {
      readonly compared: false;
      /** Why not. Null: it was not asked for. */
      readonly reason: string | null;
    }
  | {
      readonly compared: true;
      /** Events whose content was compared. */
      readonly events: number;
      /** Waybill's export, with which they were compared; null when the tested files hold no event. */
      readonly export: ExportFacts | null;
      readonly uncertain: readonly UncertainEvent[];
    };

/** Returns the events whose content was not compared with what was delivered. */
export function uncertainOf({ content }: { readonly content: ContentComparison }): readonly UncertainEvent[] {
  return content.compared ? content.uncertain : [];
}
