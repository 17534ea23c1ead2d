import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { vkeyOf } from '@waybill/verify';
import { readConfig, type Config } from './config/config.js';
import { ProcessSession } from './database/connections/process-session.js';
import type { Database } from './database/database.js';
import { openStoreBeside } from './database/store.js';
import { logDestination } from './logging/log-destination.js';
import { createLogger } from './logging/logger.js';
import type { KeyRing } from './secrets/key-ring.js';
import { addLogKey } from './secrets/log-keys.js';
import { openKeyRing } from './secrets/open-key-ring.js';
import { describeKeys } from './secrets/rotation-state.js';
import { inspectKeys, rotateSecrets } from './secrets/rotation.js';

/** How long earlier keys of the logs sign beside a new one, in days. */
const OVERLAP_DAYS = 30;
const MOST_OVERLAP_DAYS = 3_650;

const options = new Command('waybill rotate-secrets')
  .description(
    'Encrypts every secret with the first key of SECRETS_KEYS, while the service runs. Needs the settings of the service. See docs/secrets.md.',
  )
  .option('--new-key', 'create a new key first, in the key file of the embedded Postgres')
  .addOption(
    new Option(
      '--new-log-key [days]',
      'only make a new key that signs checkpoints; the others sign as well for some days, 30 by default',
    )
      .argParser(overlapDays)
      .conflicts(['dryRun', 'newKey']),
  )
  .option('--dry-run', 'show what each key encrypts, and change nothing')
  .parse()
  .opts();

function overlapDays(text: string): number {
  const days = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (days <= MOST_OVERLAP_DAYS) return days;
  throw new InvalidArgumentError(`Use a number of days, 0 to ${MOST_OVERLAP_DAYS}.`);
}

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
      if (options.newLogKey !== undefined) {
        const days = options.newLogKey === true ? OVERLAP_DAYS : options.newLogKey;
        await makeLogKey(db, keys.ring, days, config);
        return 0;
      }
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

/** Makes a key of the logs. The other keys sign as well for some days. */
async function makeLogKey(db: Database, ring: KeyRing, days: number, config: Config): Promise<void> {
  const key = await addLogKey(db, ring, days, config);
  say(
    `New key of the logs: ${vkeyOf(key)}`,
    days === 0
      ? 'The other keys sign no more.'
      : `The other keys sign as well for ${days} days: auditors add the new one by then.`,
  );
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
