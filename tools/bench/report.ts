import { textTable } from '../harness/text-table.js';
import type { BenchResult, Figure } from './result.js';

/** Formats results as a text table: a row for each figure, then a line with losses and CPU use. */
export function table(results: readonly BenchResult[]): string {
  const head = ['bench', 'variant', 'queues', 'figure', 'value', 'unit', 'goal'];
  const rows = results.flatMap((result) => result.figures.map((figure) => rowOf(result, figure)));
  const layout = textTable(head, rows, (column) => column === 4);
  const blocks = results.map((result) =>
    [...result.figures.map((figure) => layout.line(rowOf(result, figure))), `    ${details(result)}`].join('\n'),
  );
  return [layout.head, ...blocks].join('\n');
}

/** Formats results as a Markdown table: a row for each result. */
export function markdownTable(results: readonly BenchResult[]): string {
  const head = ['bench', 'variant', 'queues', 'figures', 'lost / duplicates', 'CPU in % of one core'];
  const rows = results.map(({ bench, variant, backend, figures, deliveries, cpu_percent: cpu }) => [
    bench,
    variant,
    backend,
    figures
      .map((one) => {
        const verdict = one.goal ? (one.reached === true ? ' (reached)' : ' (missed)') : '';
        return `${one.name} ${grouped(one.value)}${unitOf(one)}${verdict}`;
      })
      .join('; '),
    `${deliveries.lost} / ${deliveries.duplicates} of ${grouped(deliveries.expected)}`,
    Object.entries(cpu)
      .map(([name, percent]) => `${name} ${Math.round(percent)}`)
      .join(', '),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const grouped = (value: number) => value.toLocaleString('en');

/** Formats one result as a line, for the progress of a run. */
export function headline(result: BenchResult): string {
  const figures = result.figures.map(({ name, value, unit }) => `${name} ${value}${unit && ` ${unit}`}`);
  return `${label(result)}: ${figures.join(', ')}; ${details(result)}`;
}

function details({ deliveries, cpu_percent: cpu, seconds, notes }: BenchResult): string {
  const shares = Object.entries(cpu).map(([name, percent]) => `${name} ${Math.round(percent)}`);
  const parts = [
    `lost ${deliveries.lost} and duplicates ${deliveries.duplicates} of ${deliveries.expected}`,
    `${seconds.toFixed(1)} s`,
    ...(shares.length > 0 ? [`CPU in % of one core: ${shares.join(', ')}`] : []),
    ...notes,
  ];
  return parts.join('; ');
}

/** Describes every missed goal. */
export function missedGoals(results: readonly BenchResult[]): readonly string[] {
  return results.flatMap((result) =>
    result.figures
      .filter(({ reached }) => reached === false)
      .map(
        (figure) => `${label(result)}: ${figure.name} is ${figure.value}${unitOf(figure)}, goal is ${goalOf(figure)}`,
      ),
  );
}

/** Counts the figures that have a goal. */
export function goalCount(results: readonly BenchResult[]): number {
  return results.flatMap(({ figures }) => figures).filter(({ goal }) => goal !== undefined).length;
}

function rowOf(result: BenchResult, figure: Figure): readonly string[] {
  const verdict = figure.goal ? `${figure.reached === true ? 'reached' : 'MISSED'} (${goalOf(figure)})` : '';
  return [result.bench, result.variant, result.backend, figure.name, String(figure.value), figure.unit, verdict];
}

const label = ({ bench, variant, backend }: BenchResult) => `${bench}${variant && ` (${variant})`} on ${backend}`;
const unitOf = ({ unit }: Figure) => (unit === '' ? '' : ` ${unit}`);
const goalOf = (figure: Figure) =>
  figure.goal ? `${figure.goal.is} ${figure.goal.value}${unitOf(figure)}` : 'nothing';
