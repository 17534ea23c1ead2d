import 'reflect-metadata';
import { createApp } from './app.js';
import { runProgram } from './run-program.js';
import { readSettings } from './settings.js';

await runProgram(async () => {
  const settings = readSettings();
  const app = await createApp(settings.DATABASE_URL);
  app.enableShutdownHooks();
  await app.listen(settings.PORT, settings.HOST);
});
