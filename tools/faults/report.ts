import { textTable } from '../harness/text-table.js';
import { total } from './count/count.js';
import type { FaultResult } from './result.js';

const head = [
  'scenario',
  'queues',
  'published',
  'delivered',
  'lost',
  'duplicates',
  'order broken: destination',
  'resource',
  'gaps',
  'seconds',
  'verdict',
];

/** Formats results as a text table. */
export function table(results: readonly FaultResult[]): string {
  const rows = results.map(rowOf);
  const layout = textTable(head, rows, (column) => column >= 2 && column <= 9);
  return [layout.head, ...rows.map(layout.line)].join('\n');
}

/** Formats the failures and notes of each result as a line. */
export function remarks(results: readonly FaultResult[]): string {
  return results
    .map(({ scenario, backend, notes, failures, skipped }) => {
      const parts = [
        ...(skipped === null ? [] : [`SKIPPED: ${skipped}`]),
        ...failures.map((failure) => `FAILED: ${failure}`),
        ...notes,
      ];
      return `${scenario} on ${backend}: ${parts.join('; ')}`;
    })
    .join('\n');
}

export function verdictOf({ failures, skipped }: FaultResult): 'passed' | 'FAILED' | 'SKIPPED' {
  if (failures.length > 0) return 'FAILED';
  return skipped === null ? 'passed' : 'SKIPPED';
}

function rowOf(result: FaultResult): readonly string[] {
  const { scenario, backend, count, seconds } = result;
  const figures = count
    ? [
        `${count.published} × ${count.destinations.length}`,
        total(count, 'delivered'),
        total(count, 'lost') + count.unrecorded,
        total(count, 'duplicates'),
        total(count, 'order_violations'),
        total(count, 'resource_order_violations'),
        total(count, 'gaps'),
      ]
    : ['', '', '', '', '', '', ''];
  return [scenario, backend, ...figures.map(String), seconds.toFixed(0), verdictOf(result)];
}
