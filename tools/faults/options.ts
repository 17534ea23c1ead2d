import { parseArgs } from 'node:util';
import { backends, chosen } from '../bench/options.js';
import type { Backend } from '../bench/result.js';

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
 * Reads the command line.
 * @param known every scenario there is
 * @throws Error that says what is wrong
 */
export function readOptions(args: readonly string[], known: readonly string[]): FaultOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      backend: { type: 'string' },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only === undefined ? null : chosen('--only', values.only, known),
    backends: chosen('--backend', values.backend, backends),
    short: values.short,
    json: values.json,
  };
}
