import { targetKinds, type TargetKind } from '../../../src/targets/target.js';
import { textTable } from '../../harness/text-table.js';
import type { Proof } from '../proof.js';
import type { Audit } from './audit.js';
import type { ExampleCount } from './count.js';

/** Programs that are killed under load, in turn. */
export const victims = ['api', 'waybill', 'relay'] as const;
export type Victim = (typeof victims)[number];

/** Result of the demo of the example. The members are those of the line of `--json`. */
export interface ExampleResult {
  /** Changes that the example's database committed. */
  readonly committed: number;
  /** Changes whose transaction was rolled back, or ended by a kill. */
  readonly rolled_back: number;
  /** Committed changes that arrived at every destination. */
  readonly delivered: number;
  /** Committed changes that are missing at a destination. */
  readonly lost: number;
  /** The sums of all destinations. */
  readonly phantoms: number;
  readonly duplicates: number;
  readonly order_violations: number;
  readonly sequence_gaps: number;
  readonly leaks: number;
  /** Rows in the outbox at the end, refused events included. */
  readonly outbox_rows: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly seconds: number;
  readonly targets: Readonly<Record<TargetKind, ExampleCount>>;
  /** Verdict of the verifier on all that arrived. */
  readonly proof: Proof;
}

/** Adds the counts of all destinations. */
export function exampleResult(
  { committed, rolledBack }: Audit,
  targets: ExampleResult['targets'],
  rest: Pick<ExampleResult, 'outbox_rows' | 'kills' | 'seconds' | 'proof'>,
): ExampleResult {
  const sum = (member: keyof ExampleCount) => targetKinds.reduce((total, kind) => total + targets[kind][member], 0);
  const delivered = Math.min(...targetKinds.map((kind) => targets[kind].delivered));
  return {
    committed: committed.length,
    rolled_back: rolledBack,
    delivered,
    lost: committed.length - delivered,
    phantoms: sum('phantoms'),
    duplicates: sum('duplicates'),
    order_violations: sum('order_violations'),
    sequence_gaps: sum('sequence_gaps'),
    leaks: sum('leaks'),
    ...rest,
    targets,
  };
}

/**
 * Checks that every committed change arrived everywhere in order, that nothing else did, that the logs prove it, and
 * that every program was killed.
 */
export function isProof(result: ExampleResult): boolean {
  const { lost, phantoms, order_violations: violations, sequence_gaps: gaps, leaks, outbox_rows: rows } = result;
  const tested = result.committed > 0 && result.rolled_back > 0 && victims.every((victim) => result.kills[victim] > 0);
  return (
    tested &&
    result.proof === 'verified' &&
    [lost, phantoms, violations, gaps, leaks, rows].every((count) => count === 0)
  );
}

const columns = [
  'delivered',
  'lost',
  'phantoms',
  'duplicates',
  'order_violations',
  'sequence_gaps',
] as const satisfies readonly (keyof ExampleCount)[];

/** Formats the counts as a text table with a row for each destination. */
export function exampleTable({ committed, targets }: ExampleResult): string {
  const head = ['target', 'committed', ...columns.map((column) => column.replaceAll('_', ' '))];
  const rows = targetKinds.map((kind) => [
    kind,
    String(committed),
    ...columns.map((column) => String(targets[kind][column])),
  ]);
  const layout = textTable(head, rows, (column) => column > 0);
  return [layout.head, ...rows.map(layout.line)].join('\n');
}
