import { Command } from '@commander-js/extra-typings';
import { backendOption, listOf } from '../harness/options.js';
import type { Scenario } from './scenario.js';

/**
 * Defines the command line of the fault tests.
 * @param known all scenarios
 */
export function faultsCommand(known: readonly Pick<Scenario, 'name' | 'title'>[]) {
  const names = known.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const list = known.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  return new Command('node dist/tools/faults/main.js')
    .description(
      'Injects faults into real processes under load, and counts at a sandbox what arrived. docs/faults.md explains how.',
    )
    .option('--only <names>', 'scenarios to run, comma-separated (default: all)', listOf(names))
    .addOption(backendOption())
    .option('--short', 'fewer events and shorter outages; without --only also fewer scenarios')
    .option('--json', 'print the results as one JSON document on standard output')
    .addHelpText('after', ['\nScenarios:', ...list].join('\n'));
}
