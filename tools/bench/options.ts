import { commandLine, type CommandLine } from '../command-line.js';
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
 * The command line of the benchmarks.
 * @param known every bench there is, in the order in which they run
 */
export function benchCommandLine(known: readonly string[]): CommandLine<BenchOptions> {
  return commandLine(
    {
      call: 'npm run bench -- [options]',
      about:
        'Measures the service against a sandbox, with stores of its own. docs/benchmarks.md tells what each figure means.',
      options: {
        only: {
          type: 'string',
          value: '<names>',
          help: `benches to run, comma-separated: ${known.join(', ')}`,
        },
        scale: {
          type: 'string',
          value: '<number>',
          default: '1',
          help: 'factor on every count and duration, above 0 and up to 100',
        },
        backend: { type: 'string', value: '<name>', help: `${backends.join(' or ')}; both unless told` },
        json: { type: 'boolean', default: false, help: 'one JSON document on standard output' },
        markdown: {
          type: 'string',
          value: '<file>',
          help: 'write the results to a file, as a Markdown table',
        },
        profile: {
          type: 'string',
          value: '<folder>',
          help: 'put a CPU profile of each api and worker process there',
        },
      },
      more: 'A full run takes the better part of an hour. DATABASE_URL and REDIS_URL name the stores to use; unset, they are started.',
    },
    ({ values }) => {
      const scale = Number(values.scale);
      if (!(scale > 0 && scale <= 100))
        throw new Error(`--scale takes a number above 0 and up to 100, not "${values.scale}".`);
      return {
        benches: chosen('--only', values.only, known),
        scale,
        backends: chosen('--backend', values.backend, backends),
        json: values.json,
        markdown: values.markdown ?? null,
        profile: values.profile ?? null,
      };
    },
  );
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
  if (unknown.length > 0)
    throw new Error(`${option} takes ${known.join(', ')}, comma-separated, not "${unknown.join(', ')}".`);
  return known.filter((one) => names.includes(one));
}
