import type { RelayOptions } from '../relay/relay-options.js';
import { startRelay } from '../relay/relay.js';
import { setting } from './environment.js';
import { jsonLogger } from './json-log.js';
import { runOnDatabase } from './run-command.js';

/** Options of `relay`. */
export type RelayCommandOptions = Pick<RelayOptions, 'batchSize' | 'pollIntervalMs' | 'afterRejection' | 'leaseMs'>;

/** Runs a relay until SIGTERM or SIGINT. */
export function relayCommand(options: RelayCommandOptions): Promise<void> {
  return runOnDatabase(async (pool) => {
    const logger = jsonLogger((line) => process.stdout.write(line));
    const [url, key] = [setting('WAYBILL_URL'), setting('WAYBILL_API_KEY')];
    const relay = startRelay({ pool, url, key, logger, ...options });
    logger.info({}, 'outbox relay started');
    const signal = await stopSignal();
    logger.info({ signal }, 'outbox relay stops');
    await relay.stop();
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
