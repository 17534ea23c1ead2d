import type { Problem } from '@waybill/client';
import type { ExportProgress, Reconciliation, TestedFile } from '@waybill/reconcile';

/** What is compared. */
export interface ComparisonInput {
  /** Id of the destination. */
  readonly destination: string;
  /** The parts of the export, oldest first. */
  readonly files: readonly File[];
  /** First number that the export should hold. */
  readonly from: number;
  /** Time of the export, RFC 3339. */
  readonly exportedAt: string;
  /** Whether the content of each event is compared too, with an export of Waybill. */
  readonly content: boolean;
  /** Verifier keys that the auditor has pinned. With one, the events are verified with the signed logs. */
  readonly vkeys: readonly string[];
}

/** How far a comparison is. */
export type ComparisonProgress =
  /** The files are being read: bytes of all bytes. */
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  /** Deliveries were read from the API. */
  | { readonly kind: 'comparing'; readonly deliveries: number }
  /** Waybill's own export is being made, or its file is being compared. */
  | ({ readonly kind: 'exporting' } & ExportProgress);

/** What the worker of a comparison reports. */
export type ComparisonMessage =
  | ComparisonProgress
  | { readonly kind: 'done'; readonly found: Reconciliation; readonly files: readonly TestedFile[] }
  /** `problem`: the API refused a request. */
  | { readonly kind: 'failed'; readonly message: string; readonly problem: Problem | null };
