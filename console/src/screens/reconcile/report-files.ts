import { type Evidence, evidenceLines, type Reconciliation, report } from '@waybill/reconcile';
import { saveFile } from '../../api/download.js';

/** A comparison that is complete. */
export interface Comparison {
  readonly evidence: Evidence;
  readonly found: Reconciliation;
}

/** Returns a report as JSON: who compared what with what, and every number that did not simply arrive. */
export function jsonReport({ evidence, found }: Comparison): string {
  return `${JSON.stringify({ ...evidence, ...found }, null, 2)}\n`;
}

/** Returns a report as text, in the words of `waybill reconcile`, with every number. */
export function textReport({ evidence, found }: Comparison): string {
  return `${[...evidenceLines(evidence), report(found, true)].join('\n')}\n`;
}

/** Returns the name of a report without its ending: `reconciliation-ed_1-20261123T050000Z`. */
export function reportName({ evidence }: Comparison): string {
  const time = evidence.compared_at.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `reconciliation-${evidence.destination.id}-${time}`;
}

/** Puts a report to the downloads of the browser. */
export function downloadReport(comparison: Comparison, form: 'json' | 'text'): void {
  const name = reportName(comparison);
  if (form === 'json') saveFile(new Blob([jsonReport(comparison)], { type: 'application/json' }), `${name}.json`);
  else saveFile(new Blob([textReport(comparison)], { type: 'text/plain' }), `${name}.txt`);
}
