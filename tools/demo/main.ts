import { Command } from '@commander-js/extra-typings';
import { ConfigError, readConfig } from '../../src/config/config.js';
import { exitAfterParsing } from '../harness/usage-error.js';
import { runExampleDemo } from './example/example-demo.js';
import { runPlainDemo } from './plain-demo.js';
import { redisError } from './redis-store.js';
import { Screen } from './screen.js';

const options = new Command('npm run demo --')
  .description(
    'Starts a sandbox, an embedded Postgres and the service, makes more than 500 changes, and counts at the sandbox what arrived.',
  )
  .option(
    '--example',
    'make a few thousand changes in the database of examples/orders-api instead, in transactions that commit, roll back and run side by side, and kill the example, its relay and the service under load',
  )
  .option('--json', 'print the counts as one line of JSON on standard output')
  .option('--keep', 'keep everything running until Ctrl+C')
  .addHelpText(
    'after',
    '\nWith REDIS_URL set, the queues are in Redis. The exit code is 0 if every event arrived, and 1 otherwise.',
  )
  .exitOverride(exitAfterParsing)
  .parse()
  .opts();

const screen = new Screen();
const problem = settingsError() ?? (process.env.REDIS_URL ? await redisError(process.env.REDIS_URL) : null);
if (problem !== null) {
  screen.print(problem);
  process.exit(1);
}
const succeeded = await (options.example ? runExampleDemo(options, screen) : runPlainDemo(options, screen));
process.exitCode = succeeded ? 0 : 1;

/** Returns what is wrong with the settings of the environment, which the service inherits; null if they are valid. */
function settingsError(): string | null {
  try {
    readConfig(process.env);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
