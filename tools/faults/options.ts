import { backends, chosen } from '../bench/options.js';
import type { Backend } from '../bench/result.js';
import { commandLine, type CommandLine } from '../command-line.js';
import type { Scenario } from './scenario.js';

/** What a run is asked to do. */
export interface FaultOptions {
  /** Names of the scenarios to run, in the order in which they run; null: all there are in the form that is asked for. */
  readonly only: readonly string[] | null;
  readonly backends: readonly Backend[];
  /** Fewer events, shorter outages, and the most telling scenarios alone. */
  readonly short: boolean;
  /** Print one JSON document on standard output. */
  readonly json: boolean;
}

/**
 * The command line of the faults.
 * @param known every scenario there is
 */
export function faultsCommandLine(
  known: readonly Pick<Scenario, 'name' | 'title'>[],
): CommandLine<FaultOptions> {
  const names = known.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const list = known.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  return commandLine(
    {
      call: 'npm run test:faults -- [options]',
      about:
        'Plays faults against real processes under load, and counts at a sandbox what arrived. CONTRIBUTING.md tells how.',
      options: {
        only: {
          type: 'string',
          value: '<names>',
          help: 'scenarios to play, comma-separated; all of them unless told',
        },
        backend: { type: 'string', value: '<name>', help: `${backends.join(' or ')}; both unless told` },
        short: {
          type: 'boolean',
          default: false,
          help: 'fewer events, shorter outages, and without --only the most telling scenarios alone',
        },
        json: { type: 'boolean', default: false, help: 'one JSON document on standard output' },
      },
      more: ['Scenarios:', ...list].join('\n'),
    },
    ({ values }) => ({
      only: values.only === undefined ? null : chosen('--only', values.only, names),
      backends: chosen('--backend', values.backend, backends),
      short: values.short,
      json: values.json,
    }),
  );
}
