import 'reflect-metadata';
import { printBootstrapKey } from './bootstrap-key.js';
import { ConfigError, describeConfig, readConfig, type Config } from './config/config.js';
import { logDestination } from './logging/log-destination.js';
import { createLogger, type Logger } from './logging/logger.js';
import { startService, type Service } from './service.js';

/** Time that a shutdown has beyond SHUTDOWN_DRAIN_MS and SHUTDOWN_DEADLINE_MS, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000;

/**
 * Reads the settings, runs the service and ends the process: with code 0 after a signal, also one during the start, and
 * with code 1 after a failure.
 * @param environment the settings
 * @param stop aborts when the process is asked to stop
 */
export async function run(environment: NodeJS.ProcessEnv, stop: AbortSignal): Promise<void> {
  const config = settings(environment);
  const logger = createLogger(config.LOG_LEVEL, logDestination(config.LOG_FORMAT)).child({
    instance: config.INSTANCE_NAME,
  });
  let service: Service | undefined;
  const flushTraces = async (): Promise<void> => service?.flushTraces();
  const fatal: Fatal = (error, message) => exitFailed(logger, error, message, flushTraces);
  process.on('unhandledRejection', (error) => void fatal(error, 'unhandled error'));
  process.on('uncaughtException', (error) => void fatal(error, 'unhandled error'));
  logger.info({ settings: describeConfig(config), node: process.version }, 'starting');
  // The signal may have arrived while the modules were loaded.
  if (stop.aborted) limitShutdown(config, logger, stop, flushTraces);
  else stop.addEventListener('abort', () => limitShutdown(config, logger, stop, flushTraces));

  const running = await start(config, logger, stop, fatal);
  service = running;
  logger.info({ url: running.url, roles: config.ROLES }, 'ready');
  if (stop.aborted) await shutDown(running, logger, fatal);
  else stop.addEventListener('abort', () => void shutDown(running, logger, fatal));
}

/** Logs what failed and ends the process with code 1. */
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
  const fail = (error: Error): void => void fatal(error, 'the service failed');
  try {
    return await startService(config, logger, {
      stop,
      fail,
      showKey: (token) => printBootstrapKey(token, config),
    });
  } catch (error) {
    // A start may fail by itself while it is being stopped.
    if (!stop.aborted || error !== stop.reason) return fatal(error, 'the start failed');
    logger.info('stopped before the service was ready');
    process.exit(0);
  }
}

/** Ends the process with code 1 when a shutdown exceeds its limit. */
function limitShutdown(config: Config, logger: Logger, stop: AbortSignal, flushTraces: () => Promise<void>): void {
  // Requests have the whole deadline after the drain.
  const limitMs = config.SHUTDOWN_DRAIN_MS + config.SHUTDOWN_DEADLINE_MS + SHUTDOWN_GRACE_MS;
  logger.info({ signal: stop.reason, limit_ms: limitMs }, 'stopping');
  setTimeout(() => {
    logger.error({ limit_ms: limitMs }, 'the shutdown timed out');
    void flushTraces().finally(() => process.exit(1));
  }, limitMs).unref();
}

async function shutDown(running: Service, logger: Logger, fatal: Fatal): Promise<void> {
  try {
    await running.stop();
    logger.info('stopped');
    // Without an argument: `exitFailed` may have set the exit code to 1.
    process.exit();
  } catch (error) {
    await fatal(error, 'the shutdown failed');
  }
}

async function exitFailed(
  log: Logger,
  error: unknown,
  message: string,
  flushTraces: () => Promise<void>,
): Promise<never> {
  log.fatal({ err: error }, message);
  process.exitCode = 1;
  await flushTraces();
  process.exit(1);
}
