import { pino } from 'pino';
import { createLogger } from '../../src/logging/logger.js';

/** Logs warnings to standard error: standard output holds the document of `--json`. */
export const toolLogger = createLogger('warn', pino.destination(2));
