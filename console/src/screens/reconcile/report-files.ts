import type { Reconciliation } from '../../../../tools/reconcile/comparison/reconcile.js';
import { report } from '../../../../tools/reconcile/comparison/report.js';
import { saveFile } from '../../api/download.js';
import type { ComparisonInput } from './messages.js';

/** A comparison that is complete. */
export interface Comparison {
  readonly input: ComparisonInput;
  readonly found: Reconciliation;
  /** RFC 3339. */
  readonly comparedAt: string;
}

/** Returns a report as JSON: what was compared, and every missing number. */
export function jsonReport({ input, found, comparedAt }: Comparison): string {
  const { destination, files, exportedAt } = input;
  const facts = {
    destination_id: destination,
    compared_at: comparedAt,
    exported_at: exportedAt,
    files: files.map(({ name, size }) => ({ name, bytes: size })),
  };
  return `${JSON.stringify({ ...facts, ...found }, null, 2)}\n`;
}

/** Returns a report as text, in the words of `npm run reconcile`. */
export function textReport({ input, found, comparedAt }: Comparison): string {
  const files = input.files.map(({ name }) => name).join(', ');
  return `${input.destination}, ${files}, export of ${input.exportedAt}, compared ${comparedAt}\n${report(found, true)}\n`;
}

/** Puts a report to the downloads of the browser. */
export function downloadReport(comparison: Comparison, form: 'json' | 'text'): void {
  const day = comparison.comparedAt.slice(0, 10);
  const name = `reconciliation-${comparison.input.destination}-${day}`;
  if (form === 'json') saveFile(new Blob([jsonReport(comparison)], { type: 'application/json' }), `${name}.json`);
  else saveFile(new Blob([textReport(comparison)], { type: 'text/plain' }), `${name}.txt`);
}
