import type { TargetKind } from '../../src/targets/target.js';
import { textTable } from '../harness/text-table.js';
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

/** Formats the counts as a text table with a row for each target. */
export function table(counts: Readonly<Record<string, TargetCount>>): string {
  const head = ['target', ...columns.map((column) => column.replaceAll('_', ' '))];
  const rows = Object.entries(counts).map(([target, tally]) => [
    target,
    ...columns.map((column) => String(tally[column])),
  ]);
  const layout = textTable(head, rows, (column) => column > 0);
  return [layout.head, ...rows.map(layout.line)].join('\n');
}

/** Formats a line of progress: changes made, and events received by each target. */
export function progressLine(changes: number, planned: number, received: Readonly<Record<TargetKind, number>>): string {
  const filled = Math.round((changes / planned) * 20);
  const targets = Object.entries(received).map(([kind, count]) => `${kind} ${count}`);
  return `[${'█'.repeat(filled)}${'·'.repeat(20 - filled)}] ${changes}/${planned} changes → ${targets.join(' · ')}`;
}

/** Writes to standard error: standard output is for results. */
export class Screen {
  private drawn = false;
  private lastPlain = 0;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  /** Prints a line that stays. */
  print(text: string): void {
    this.stream.write(`${this.drawn ? '\r\u001b[K' : ''}${text}\n`);
    this.drawn = false;
  }

  /** Prints a line that the next one replaces; without a terminal, a line every two seconds. */
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
