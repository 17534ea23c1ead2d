import { parseArgs } from 'node:util';
import type { Backend } from './result.js';

/** What a run is asked to do. */
export interface BenchOptions {
  /** Benches to run, in the order in which they run. */
  readonly benches: readonly string[];
  /** Factor on every count and duration; the goals are meant for 1. */
  readonly scale: number;
  readonly backends: readonly Backend[];
  /** Print one JSON document on standard output. */
  readonly json: boolean;
  /** File for the results as a Markdown table; null: none is written. */
  readonly markdown: string | null;
  /** Folder for a CPU profile of each api and worker process; null: none is made. */
  readonly profile: string | null;
}

/** Every backend, in the order in which they are taken. */
export const backends: readonly Backend[] = ['redis', 'postgres'];

/**
 * Reads the command line.
 * @param known every bench there is, in the order in which they run
 * @throws Error that says what is wrong
 */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      scale: { type: 'string', default: '1' },
      backend: { type: 'string' },
      json: { type: 'boolean', default: false },
      markdown: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const scale = Number(values.scale);
  if (!(scale > 0 && scale <= 100))
    throw new Error(`--scale takes a number above 0 and up to 100, not ${values.scale}`);
  return {
    benches: chosen('--only', values.only, known),
    scale,
    backends: chosen('--backend', values.backend, backends),
    json: values.json,
    markdown: values.markdown ?? null,
    profile: values.profile ?? null,
  };
}

/** Those of `known` that a comma-separated list names, in the order of `known`; all of them without a list. */
export function chosen<T extends string>(
  option: string,
  list: string | undefined,
  known: readonly T[],
): readonly T[] {
  if (list === undefined) return known;
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0) throw new Error(`${option} takes ${known.join(', ')}, not ${unknown.join(', ')}`);
  return known.filter((one) => names.includes(one));
}
