import { Command } from '@commander-js/extra-typings';
import { readConfig } from './config/config.js';
import { ProcessSession } from './database/connections/process-session.js';
import { openStoreBeside } from './database/store.js';
import { logDestination } from './logging/log-destination.js';
import { createLogger } from './logging/logger.js';
import { openKeyRing } from './secrets/open-key-ring.js';
import { describeKeys } from './secrets/rotation-state.js';
import { inspectKeys, rotateSecrets } from './secrets/rotation.js';

const options = new Command('waybill rotate-secrets')
  .description(
    'Encrypts every secret with the first key of SECRETS_KEYS, while the service runs. Needs the settings of the service. See docs/secrets.md.',
  )
  .option('--new-key', 'create a new key first, in the key file of the embedded Postgres')
  .option('--dry-run', 'show what each key encrypts, and change nothing')
  .parse()
  .opts();

/** Rotates the secrets, or describes the keys. Returns the exit code: 0 if no secret is left to encrypt again. */
async function main(): Promise<number> {
  const config = readConfig(process.env);
  const logger = createLogger('error', logDestination(config.LOG_FORMAT));
  const store = await openStoreBeside(config, logger, 'waybill rotate-secrets');
  try {
    const { db, connectionString } = store;
    const session = new ProcessSession({ connectionString, name: `rotate-secrets ${process.pid}`, logger });
    try {
      const keys = await openKeyRing(config, { db, session }, logger);
      if (options.dryRun) {
        const { states, settled } = await inspectKeys(db, keys);
        say(...describeKeys(states, keys.file, settled));
        return 0;
      }
      const parts = { db, keys, say };
      const { states, unreadable, settled, finished } = await rotateSecrets(parts, {
        newKey: options.newKey === true,
      });
      say(...describeKeys(states, keys.file, settled));
      for (const row of unreadable)
        say(`Cannot be decrypted: ${row}. Set this secret again, or restore it from a backup.`);
      return finished ? 0 : 1;
    } finally {
      await session.close();
    }
  } finally {
    await store.close();
  }
}

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
