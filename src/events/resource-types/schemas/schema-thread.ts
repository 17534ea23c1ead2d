import { parentPort } from 'node:worker_threads';
import { SchemaTasks, type SchemaTask } from './schema-tasks.js';

/** The thread of `object-schemas.ts`. */
const tasks = new SchemaTasks();
parentPort?.on('message', (task: SchemaTask) => parentPort?.postMessage(tasks.run(task)));
parentPort?.postMessage('ready');
