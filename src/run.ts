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
  let service: Service | undefined;
  const lastWords = async (): Promise<void> => service?.endTraces();
  const die: Die = (error, message) => endFailed(logger, error, message, lastWords);
  process.on('unhandledRejection', (error) => void die(error, 'an error was not handled'));
  process.on('uncaughtException', (error) => void die(error, 'an error was not handled'));
  logger.info({ settings: describeConfig(config), node: process.version }, 'starting');
  // Already, when it was asked for while everything was being loaded.
  if (stop.aborted) endInTime(config, logger, stop, lastWords);
  else stop.addEventListener('abort', () => endInTime(config, logger, stop, lastWords));

  const running = await start(config, logger, stop, die);
  service = running;
  logger.info({ url: running.url, roles: config.ROLES }, 'ready');
  if (stop.aborted) await end(running, logger, die);
  else stop.addEventListener('abort', () => void end(running, logger, die));
}

/** Says what failed and ends the process with code 1. */
type Die = (error: unknown, message: string) => Promise<never>;

function settings(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config, logger: Logger, stop: AbortSignal, die: Die): Promise<Service> {
  const fail = (error: Error): void => void die(error, 'the process cannot go on');
  try {
    return await startService(config, logger, (token) => showFirstKey(token, config), { stop, fail });
  } catch (error) {
    if (!stop.aborted) return die(error, 'the service could not start');
    logger.info('stopped before it was ready');
    process.exit(0);
  }
}

function endInTime(config: Config, logger: Logger, stop: AbortSignal, lastWords: () => Promise<void>): void {
  logger.info({ signal: stop.reason }, 'stopping');
  setTimeout(() => {
    logger.error('the shutdown took too long');
    void lastWords().finally(() => process.exit(1));
  }, config.SHUTDOWN_DEADLINE_MS + shutdownGraceMs).unref();
}

async function end(running: Service, logger: Logger, die: Die): Promise<void> {
  try {
    await running.stop();
    logger.info('stopped');
    // With 1 when something failed meanwhile.
    process.exit();
  } catch (error) {
    await die(error, 'the shutdown failed');
  }
}

async function endFailed(
  log: Logger,
  error: unknown,
  message: string,
  lastWords: () => Promise<void>,
): Promise<never> {
  log.fatal({ err: error }, `${message}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  await lastWords();
  process.exit(1);
}
