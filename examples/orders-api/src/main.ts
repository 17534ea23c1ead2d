import 'reflect-metadata';
import { createApp } from './app.js';
import { readSettings } from './settings.js';

const settings = readSettings();
const app = await createApp(settings.DATABASE_URL);
app.enableShutdownHooks();
await app.listen(settings.PORT, settings.HOST);
