import { migrate } from './database/migrate.js';
import { readSettings } from './settings.js';

await migrate(readSettings().DATABASE_URL);
