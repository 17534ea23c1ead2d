import { textTable } from '../text-table.js';
import type { BenchResult, Figure } from './result.js';

/** Results as a table for people: a row for each figure, and below each result what was lost and what CPU it took. */
export function table(results: readonly BenchResult[]): string {
  const head = ['bench', 'variant', 'queues', 'figure', 'value', 'unit', 'goal'];
  const rows = results.flatMap((result) => result.figures.map((figure) => rowOf(result, figure)));
  const laidOut = textTable(head, rows, (column) => column === 4);
  const blocks = results.map((result) =>
    [...result.figures.map((figure) => laidOut.line(rowOf(result, figure))), `    ${evidence(result)}`].join(
      '\n',
    ),
  );
  return [laidOut.head, ...blocks].join('\n');
}

/** Results as a table in Markdown: a row for each result. */
export function markdownTable(results: readonly BenchResult[]): string {
  const head = ['bench', 'variant', 'queues', 'figures', 'lost / duplicates', 'CPU in % of one core'];
  const rows = results.map(({ bench, variant, backend, figures, deliveries, cpu_percent: cpu }) => [
    bench,
    variant,
    backend,
    figures
      .map((one) => {
        const judged = one.goal ? (one.reached === true ? ' (reached)' : ' (missed)') : '';
        return `${one.name} ${grouped(one.value)}${unitOf(one)}${judged}`;
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

/** One line that says what a bench found, for the progress of a run. */
export function headline(result: BenchResult): string {
  const figures = result.figures.map(({ name, value, unit }) => `${name} ${value}${unit && ` ${unit}`}`);
  return `${named(result)}: ${figures.join(', ')}; ${evidence(result)}`;
}

/** What was lost, what came twice, what CPU each process used, and what else is to be known. */
function evidence({ deliveries, cpu_percent: cpu, seconds, notes }: BenchResult): string {
  const shares = Object.entries(cpu).map(([name, percent]) => `${name} ${Math.round(percent)}`);
  const said = [
    `lost ${deliveries.lost} and duplicates ${deliveries.duplicates} of ${deliveries.expected}`,
    `${seconds.toFixed(1)} s`,
    ...(shares.length > 0 ? [`CPU in % of one core: ${shares.join(', ')}`] : []),
    ...notes,
  ];
  return said.join('; ');
}

/** Every goal that was missed, in words. */
export function missedGoals(results: readonly BenchResult[]): readonly string[] {
  return results.flatMap((result) =>
    result.figures
      .filter(({ reached }) => reached === false)
      .map(
        (figure) =>
          `${named(result)}: ${figure.name} is ${figure.value}${unitOf(figure)}, asked is ${asked(figure)}`,
      ),
  );
}

/** How many goals were set. */
export function goalCount(results: readonly BenchResult[]): number {
  return results.flatMap(({ figures }) => figures).filter(({ goal }) => goal !== undefined).length;
}

function rowOf(result: BenchResult, figure: Figure): readonly string[] {
  const judged = figure.goal ? `${figure.reached === true ? 'reached' : 'MISSED'} (${asked(figure)})` : '';
  return [
    result.bench,
    result.variant,
    result.backend,
    figure.name,
    String(figure.value),
    figure.unit,
    judged,
  ];
}

const named = ({ bench, variant, backend }: BenchResult) =>
  `${bench}${variant && ` (${variant})`} on ${backend}`;
const unitOf = ({ unit }: Figure) => (unit === '' ? '' : ` ${unit}`);
const asked = (figure: Figure) =>
  figure.goal ? `${figure.goal.is} ${figure.goal.value}${unitOf(figure)}` : 'nothing';
