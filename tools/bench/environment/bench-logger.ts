import { pino } from 'pino';
import { createLogger } from '../../../src/logging/logger.js';

/** For what the bench opens itself: warnings, on standard error, because standard output is for the document of `--json`. */
export const benchLogger = createLogger('warn', pino.destination(2));
