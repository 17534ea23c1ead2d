import path from 'node:path';
import { installService } from './cached-service.js';

// Bundles the service where it has changed.
await installService(process.cwd(), path.resolve('dist/service'));
