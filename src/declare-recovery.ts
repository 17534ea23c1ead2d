import { Command } from '@commander-js/extra-typings';
import { readConfig } from './config/config.js';
import { migrate } from './database/schema/migrate.js';
import { openStoreBeside } from './database/store.js';
import { Epochs } from './delivery/epochs/epochs.js';
import { openWitness } from './delivery/epochs/open-witness.js';
import { logDestination } from './logging/log-destination.js';
import { createLogger } from './logging/logger.js';

new Command('waybill declare-recovery')
  .description(
    'Begins a new epoch, because the database was restored and Waybill may not have noticed. Needs the settings of the service, which may run or not. See docs/operations.md.',
  )
  .parse();

/** Begins an epoch and prints it. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger('error', logDestination(config.LOG_FORMAT));
  const store = await openStoreBeside(config, logger, 'waybill declare-recovery');
  const witness = openWitness(config);
  try {
    // A backup of an earlier version has no epoch yet.
    await migrate(store.connectionString, logger);
    const { epoch, before } = await new Epochs({ db: store.db, witness, logger }).declare();
    process.stdout.write(
      `Epoch ${epoch} began; the epoch before was ${before}. A worker now starts it in every lane: the first event of each destination in the epoch says which numbers may belong to undone events.\n`,
    );
  } finally {
    await witness?.close();
    await store.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
