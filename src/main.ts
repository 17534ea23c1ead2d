import 'reflect-metadata';
import { ConfigError, describeConfig, readConfig, type Config } from './config/config.js';
import { showFirstKey } from './first-key.js';
import { createLogger, type Logger } from './logging/logger.js';
import { startService, type Service } from './service.js';

/** How much longer than its deadline a shutdown may take before the process ends without it, in milliseconds. */
const shutdownGraceMs = 5_000;

const config = settings();
const logger = createLogger(config.LOG_LEVEL);
process.on('unhandledRejection', (error) => die(logger, error, 'an error was not handled'));
process.on('uncaughtException', (error) => die(logger, error, 'an error was not handled'));

logger.info({ settings: describeConfig(config), node: process.version }, 'starting');
const service = await startService(config, logger, (token) => showFirstKey(token, config)).catch(
  (error: unknown) => die(logger, error, 'the service could not start'),
);
logger.info({ url: service.url, roles: config.ROLES }, 'ready');
process.once('SIGTERM', () => void stop(service, 'SIGTERM'));
process.once('SIGINT', () => void stop(service, 'SIGINT'));

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function stop(running: Service, signal: string): Promise<void> {
  logger.info({ signal }, 'stopping');
  setTimeout(() => {
    logger.error('the shutdown took too long');
    process.exit(1);
  }, config.SHUTDOWN_DEADLINE_MS + shutdownGraceMs).unref();
  try {
    await running.stop();
    logger.info('stopped');
    process.exit(0);
  } catch (error) {
    die(logger, error, 'the shutdown failed');
  }
}

function die(log: Logger, error: unknown, message: string): never {
  log.fatal({ err: error }, `${message}: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
