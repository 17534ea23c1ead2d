import type { TargetKind } from '../../src/targets/target.js';
import { textTable } from '../text-table.js';
import type { TargetCount } from './target-count.js';

const columns = [
  'expected',
  'delivered',
  'lost',
  'duplicates',
  'sequence_gaps',
  'out_of_order',
  'p50_ms',
  'p99_ms',
] as const satisfies readonly (keyof TargetCount)[];

/** The counts as a table for people, one row for each target. */
export function table(counts: Readonly<Record<string, TargetCount>>): string {
  const head = ['target', ...columns.map((column) => column.replaceAll('_', ' '))];
  const rows = Object.entries(counts).map(([target, tally]) => [
    target,
    ...columns.map((column) => String(tally[column])),
  ]);
  const laidOut = textTable(head, rows, (column) => column > 0);
  return [laidOut.head, ...rows.map(laidOut.line)].join('\n');
}

/** A line of progress: changes made, and what each target has received so far. */
export function progressLine(
  changes: number,
  planned: number,
  received: Readonly<Record<TargetKind, number>>,
): string {
  const filled = Math.round((changes / planned) * 20);
  const targets = Object.entries(received).map(([kind, count]) => `${kind} ${count}`);
  return `[${'█'.repeat(filled)}${'·'.repeat(20 - filled)}] ${changes}/${planned} changes → ${targets.join(' · ')}`;
}

/** Writes lines to standard error, so that standard output holds the results only; redraws the last one on a terminal. */
export class Screen {
  private drawn = false;
  private lastPlain = 0;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** A line that stays. */
  print(text: string): void {
    this.stream.write(`${this.drawn ? '\r\u001b[K' : ''}${text}\n`);
    this.drawn = false;
  }

  /** A line that the next one replaces; where the stream is no terminal, one every two seconds stays. */
  progress(text: string): void {
    if (this.stream.isTTY) {
      this.stream.write(`\r\u001b[K${text}`);
      this.drawn = true;
    } else if (Date.now() - this.lastPlain >= 2_000) {
      this.lastPlain = Date.now();
      this.stream.write(`${text}\n`);
    }
  }
}
