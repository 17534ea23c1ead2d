import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { backendOption, listOf } from '../harness/options.js';

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
    .option('--cold', 'measure from the first event on, without a warm-up: trickle, through, fan-out and peers')
    .option('--json', 'print the results as one JSON document on standard output')
    .option('--markdown <file>', 'write the results to a file, as a Markdown table')
    .option('--profile <folder>', 'write a CPU profile of each api and worker process to a folder')
    .addHelpText(
      'after',
      '\nA full run takes almost an hour. DATABASE_URL and REDIS_URL name the stores; without them the bench starts its own.',
    );
}

function scale(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 100) return number;
  throw new InvalidArgumentError('Use a number above 0 and at most 100.');
}
