import { Command } from '@commander-js/extra-typings';
import { takeStopSignals } from './stop-signals.js';

// Signals first: loading everything else takes a second or two.
const stop = takeStopSignals();
new Command('waybill')
  .description('Runs the service. Its settings are environment variables: see docs/configuration.md.')
  .parse();
const { run } = await import('./run.js');
await run(process.env, stop);
