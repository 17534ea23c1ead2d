import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from './config/config.js';
import { openDatabase } from './database/database.js';
import { runningServerOf } from './database/embedded/running-server.js';
import { openStore, type Store } from './database/store.js';
import { createLogger, type Logger } from './logging/logger.js';
import { openKeyRing } from './secrets/open-key-ring.js';
import { describeKeys } from './secrets/rotation-state.js';
import { lookAtKeys, rotateSecrets } from './secrets/rotation.js';

/** What `npm run secrets:rotate` may be told. */
interface Options {
  readonly 'new-key'?: boolean;
  readonly 'dry-run'?: boolean;
  readonly help?: boolean;
}

const USAGE = `Usage: npm run secrets:rotate -- [options]

Seals every secret with the first key of the ring, while the service runs and with the same settings. docs/secrets.md tells how.

  --new-key  make a new key first, in the file of the embedded Postgres
  --dry-run  say what is sealed with which key, and change nothing
  --help     show this`;

/** Seals everything with the first key of the ring while the service runs: docs/secrets.md. Ends with 0 when nothing is left to do. */
async function main(options: Options): Promise<number> {
  if (options.help === true) {
    say(USAGE);
    return 0;
  }
  const config = readConfig(process.env);
  const logger = createLogger('error');
  const store = await openBeside(config, logger);
  try {
    const keys = await openKeyRing(config, store, logger, `secrets:rotate ${process.pid}`);
    try {
      if (options['dry-run'] === true) {
        const { states, settled } = await lookAtKeys(store.db, keys);
        say(...describeKeys(states, keys.file, settled));
        return 0;
      }
      const parts = { db: store.db, keys, say };
      const { states, unreadable, settled, finished } = await rotateSecrets(parts, {
        newKey: options['new-key'] === true,
      });
      say(...describeKeys(states, keys.file, settled));
      for (const row of unreadable)
        say(`Cannot be opened: ${row}. Give it anew, or restore it from a backup.`);
      return finished ? 0 : 1;
    } finally {
      await keys.close();
    }
  } finally {
    await store.close();
  }
}

/** The database, beside the service if that runs on an embedded one. */
async function openBeside(config: Config, logger: Logger): Promise<Store> {
  const connectionString = config.DATABASE_URL ?? (await runningServerOf(path.resolve(config.DATA_DIR)));
  if (connectionString === null) return openStore(config, logger);
  const { db, pool } = openDatabase({
    connectionString,
    poolSize: 2,
    applicationName: 'waybill secrets:rotate',
    logger,
  });
  return { db, pool, connectionString, close: () => db.destroy() };
}

function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function optionsOf(args: readonly string[]): Options {
  const flags = {
    'new-key': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  return parseArgs({ args: [...args], options: flags }).values;
}

try {
  process.exitCode = await main(optionsOf(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
