import { median } from '../../../harness/statistics.js';
import type { BenchContext } from '../../bench.js';
import type { CpuUse } from '../../cpu/cpu-watch.js';
import { sumOfCounts, type DeliveryCounts } from '../../result.js';
import type { Row } from './backlog-rows.js';
import type { ContenderName } from './contender.js';

/** The contenders take turns, so that other work on the machine affects all. Fewer rounds at a small scale. */
const ROUNDS = 3;

/** Medians of the rounds of one contender. */
export interface Standing {
  readonly values: Readonly<Record<string, number>>;
  readonly deliveries: DeliveryCounts;
  /** Of the last round. */
  readonly cpu: CpuUse;
}

/** Measures a row for each contender, in alternating rounds. */
export async function inTurns<Name extends ContenderName>(
  context: BenchContext,
  row: Row,
  names: readonly Name[],
  label: string,
): Promise<Readonly<Record<Name, Standing>>> {
  const rounds = new Map<Name, Standing[]>();
  const count = Math.min(ROUNDS, context.scaled(ROUNDS));
  for (let round = 1; round <= count; round += 1) {
    for (const name of names) {
      context.log(`${label} of ${name}, round ${round} of ${count}`);
      const found = rounds.get(name) ?? [];
      rounds.set(name, found);
      for await (const measured of row(context, name)) found.push(measured);
    }
  }
  return Object.fromEntries(names.map((name) => [name, standingOf(rounds.get(name) ?? [])])) as Record<Name, Standing>;
}

function standingOf(rounds: readonly Standing[]): Standing {
  const last = rounds.at(-1);
  if (!last) throw new Error('nothing was measured');
  const values = Object.keys(last.values).map((key) => [
    key,
    median(rounds.map((one) => one.values[key] ?? Number.NaN)),
  ]);
  return {
    values: Object.fromEntries(values) as Record<string, number>,
    deliveries: sumOfCounts(rounds.map(({ deliveries }) => deliveries)),
    cpu: last.cpu,
  };
}
