import { installConsole } from './cached-console.js';

// Builds the console where it has changed.
await installConsole(process.cwd());
