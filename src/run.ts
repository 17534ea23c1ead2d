import 'reflect-metadata';
import { ConfigError, describeConfig, readConfig, type Config } from './config/config.js';
import { showFirstKey } from './first-key.js';
import { createLogger, type Logger } from './logging/logger.js';
import { startService, type Service } from './service.js';

/** How much longer than its deadline a shutdown may take before the process ends without it, in milliseconds. */
const shutdownGraceMs = 5_000;

/**
 * Reads the settings, runs the service and ends the process: with code 0 after a stop that was asked for, also in the middle of
 * the start, and with 1 when something failed.
 * @param environment where the settings are
 * @param stop aborts when the process is asked to stop
 */
export async function run(environment: NodeJS.ProcessEnv, stop: AbortSignal): Promise<void> {
  const config = settings(environment);
  const logger = createLogger(config.LOG_LEVEL);
  process.on('unhandledRejection', (error) => die(logger, error, 'an error was not handled'));
  process.on('uncaughtException', (error) => die(logger, error, 'an error was not handled'));
  logger.info({ settings: describeConfig(config), node: process.version }, 'starting');
  // Already, when it was asked for while everything was being loaded.
  if (stop.aborted) endInTime(config, logger, stop);
  else stop.addEventListener('abort', () => endInTime(config, logger, stop));

  const service = await start(config, logger, stop);
  logger.info({ url: service.url, roles: config.ROLES }, 'ready');
  if (stop.aborted) await end(service, logger);
  else stop.addEventListener('abort', () => void end(service, logger));
}

function settings(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config, logger: Logger, stop: AbortSignal): Promise<Service> {
  const fail = (error: Error): never => die(logger, error, 'the process cannot go on');
  try {
    return await startService(config, logger, (token) => showFirstKey(token, config), { stop, fail });
  } catch (error) {
    if (!stop.aborted) die(logger, error, 'the service could not start');
    logger.info('stopped before it was ready');
    process.exit(0);
  }
}

function endInTime(config: Config, logger: Logger, stop: AbortSignal): void {
  logger.info({ signal: stop.reason }, 'stopping');
  setTimeout(() => {
    logger.error('the shutdown took too long');
    process.exit(1);
  }, config.SHUTDOWN_DEADLINE_MS + shutdownGraceMs).unref();
}

async function end(running: Service, logger: Logger): Promise<void> {
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
