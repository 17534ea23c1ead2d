import { takeStopSignals } from './stop-signals.js';

// Signals first: loading everything else takes a second or two.
const stop = takeStopSignals();
const { run } = await import('./run.js');
await run(process.env, stop);
