import { migrate } from './database/migrate.js';
import { runProgram } from './run-program.js';
import { readSettings } from './settings.js';

await runProgram(() => migrate(readSettings().DATABASE_URL));
