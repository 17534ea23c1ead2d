import { textTable } from '../text-table.js';
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

/** Results as a table for people; below it the notes, and what failed. */
export function table(results: readonly FaultResult[]): string {
  const rows = results.map(rowOf);
  const laidOut = textTable(head, rows, (column) => column >= 2 && column <= 9);
  return [laidOut.head, ...rows.map(laidOut.line)].join('\n');
}

/** One line for each result: what was noted, and what failed. */
export function remarks(results: readonly FaultResult[]): string {
  return results
    .map(({ scenario, backend, notes, failures, notPlayed }) => {
      const said = [
        ...(notPlayed === null ? [] : [`NOT PLAYED: ${notPlayed}`]),
        ...failures.map((failure) => `FAILED: ${failure}`),
        ...notes,
      ];
      return `${scenario} on ${backend}: ${said.join('; ')}`;
    })
    .join('\n');
}

/** In a word. */
export function verdictOf({ failures, notPlayed }: FaultResult): 'passed' | 'FAILED' | 'NOT PLAYED' {
  if (failures.length > 0) return 'FAILED';
  return notPlayed === null ? 'passed' : 'NOT PLAYED';
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
