import 'reflect-metadata';
import { ConfigError, describeConfig, readConfig, type Config } from './config/config.js';
import { printBootstrapKey } from './bootstrap-key.js';
import { createLogger, type Logger } from './logging/logger.js';
import { startService, type Service } from './service.js';

/** How much longer than its deadline a shutdown may take before the process ends without it, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000;

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
  const flushTraces = async (): Promise<void> => service?.flushTraces();
  const fatal: Fatal = (error, message) => endFailed(logger, error, message, flushTraces);
  process.on('unhandledRejection', (error) => void fatal(error, 'an error was not handled'));
  process.on('uncaughtException', (error) => void fatal(error, 'an error was not handled'));
  logger.info({ settings: describeConfig(config), node: process.version }, 'starting');
  // Already, when it was asked for while everything was being loaded.
  if (stop.aborted) endInTime(config, logger, stop, flushTraces);
  else stop.addEventListener('abort', () => endInTime(config, logger, stop, flushTraces));

  const running = await start(config, logger, stop, fatal);
  service = running;
  logger.info({ url: running.url, roles: config.ROLES }, 'ready');
  if (stop.aborted) await end(running, logger, fatal);
  else stop.addEventListener('abort', () => void end(running, logger, fatal));
}

/** Says what failed and ends the process with code 1. */
type Fatal = (error: unknown, message: string) => Promise<never>;

function settings(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function start(config: Config, logger: Logger, stop: AbortSignal, fatal: Fatal): Promise<Service> {
  const fail = (error: Error): void => void fatal(error, 'the process cannot go on');
  try {
    return await startService(config, logger, {
      stop,
      fail,
      showKey: (token) => printBootstrapKey(token, config),
    });
  } catch (error) {
    if (!stop.aborted) return fatal(error, 'the service could not start');
    logger.info('stopped before it was ready');
    process.exit(0);
  }
}

function endInTime(
  config: Config,
  logger: Logger,
  stop: AbortSignal,
  flushTraces: () => Promise<void>,
): void {
  logger.info({ signal: stop.reason }, 'stopping');
  setTimeout(() => {
    logger.error('the shutdown took too long');
    void flushTraces().finally(() => process.exit(1));
  }, config.SHUTDOWN_DEADLINE_MS + SHUTDOWN_GRACE_MS).unref();
}

async function end(running: Service, logger: Logger, fatal: Fatal): Promise<void> {
  try {
    await running.stop();
    logger.info('stopped');
    // With 1 when something failed meanwhile.
    process.exit();
  } catch (error) {
    await fatal(error, 'the shutdown failed');
  }
}

async function endFailed(
  log: Logger,
  error: unknown,
  message: string,
  flushTraces: () => Promise<void>,
): Promise<never> {
  log.fatal({ err: error }, `${message}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  await flushTraces();
  process.exit(1);
}
