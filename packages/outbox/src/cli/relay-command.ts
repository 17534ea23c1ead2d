import type { RelayOptions } from '../relay/relay-options.js';
import { startRelay } from '../relay/relay.js';
import { setting } from './environment.js';
import { jsonLogger } from './json-log.js';
import { startProbeServer } from './probe-server.js';
import { runOnDatabase } from './run-command.js';

/** Options of `relay`. */
export type RelayCommandOptions = Pick<
  RelayOptions,
  'batchSize' | 'pollIntervalMs' | 'afterRejection' | 'leaseMs' | 'requirePrincipal'
> & {
  /** Of the server for probes and metrics. Default: no server. */
  readonly port?: number;
  readonly host: string;
};

/** Runs a relay until SIGTERM or SIGINT. */
export function relayCommand({ port, host, ...options }: RelayCommandOptions): Promise<void> {
  return runOnDatabase(async (pool) => {
    const logger = jsonLogger((line) => process.stdout.write(line));
    const [url, key] = [setting('WAYBILL_URL'), setting('WAYBILL_API_KEY')];
    const relay = startRelay({ pool, url, key, logger, ...options });
    const stopping = stopSignal();
    try {
      const server = port === undefined ? null : await startProbeServer(relay, host, port);
      logger.info({ ...(server && { host, port: server.port }) }, 'outbox relay started');
      const signal = await stopping;
      logger.info({ signal }, 'outbox relay stops');
      await server?.close();
    } finally {
      await relay.stop();
    }
    logger.info({}, 'outbox relay stopped');
  });
}

/** Resolves at the first signal. A second one ends the process at once, as without a handler. */
function stopSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve(signal));
  });
}
