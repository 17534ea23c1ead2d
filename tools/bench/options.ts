import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Backend } from './result.js';

/** Every queue backend, in the order in which they are measured. */
export const backends: readonly Backend[] = ['redis', 'postgres'];

/**
 * Defines the command line of the benchmarks.
 * @param known names of all benches, in the order in which they run
 */
export function benchCommand(known: readonly string[]) {
  return new Command('npm run bench --')
    .description('Measures the service against a sandbox, on its own stores. docs/benchmarks.md explains each figure.')
    .addOption(
      new Option('--only <names>', `benches to run, comma-separated: ${known.join(', ')}`)
        .argParser(listOf(known))
        .default(known, 'all'),
    )
    .option('--scale <number>', 'factor on every count and duration, above 0 and at most 100', scale, 1)
    .addOption(backendOption())
    .option('--json', 'print the results as one JSON document on standard output')
    .option('--markdown <file>', 'write the results to a file, as a Markdown table')
    .option('--profile <folder>', 'write a CPU profile of each api and worker process to a folder')
    .addHelpText(
      'after',
      '\nA full run takes almost an hour. DATABASE_URL and REDIS_URL name the stores; without them the bench starts its own.',
    );
}

/** Defines the option that selects queue backends. */
export function backendOption() {
  return new Option('--backend <name>', `queue backend: ${backends.join(' or ')}`)
    .argParser(listOf(backends))
    .default(backends, 'both');
}

/** Returns a parser of comma-separated lists, whose result has the order of `known`. */
export function listOf<T extends string>(known: readonly T[]): (list: string) => readonly T[] {
  return (list) => {
    const names = list.split(',').map((name) => name.trim());
    if (!names.every((name) => known.some((one) => one === name)))
      throw new InvalidArgumentError(`Use ${known.join(', ')}, separated by commas.`);
    return known.filter((one) => names.includes(one));
  };
}

function scale(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 100) return number;
  throw new InvalidArgumentError('Use a number above 0 and at most 100.');
}
