import pg from 'pg';
import { describeDatabaseError } from '../relay/database-error.js';
import { SettingError, setting } from './environment.js';
import { FAILED, INVALID_USE } from './exit-codes.js';

/** Writes to standard output. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Runs a command. An error is one line on standard error, and sets the exit code. */
export async function runCommand(command: () => Promise<void> | void): Promise<void> {
  try {
    await command();
  } catch (error) {
    // Invalid options are a TypeError of the relay or a RangeError of the triggers.
    const invalid = error instanceof SettingError || error instanceof TypeError || error instanceof RangeError;
    process.stderr.write(`error: ${describeDatabaseError(error)}\n`);
    process.exitCode = invalid ? INVALID_USE : FAILED;
  }
}

/** Runs a command on the database of DATABASE_URL. */
export function runOnDatabase(command: (pool: pg.Pool) => Promise<void>): Promise<void> {
  return runCommand(async () => {
    const pool = openPool(setting('DATABASE_URL'));
    try {
      await command(pool);
    } finally {
      await pool.end();
    }
  });
}

function openPool(connectionString: string): pg.Pool {
  assertConnectionString(connectionString);
  const pool = new pg.Pool({
    connectionString,
    max: 5,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'waybill-outbox',
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', () => {});
  return pool;
}

/** The pool would fail at each connection, and the relay would try again without end. */
function assertConnectionString(connectionString: string): void {
  try {
    if (!/^(?:postgres(?:ql)?:\/\/|socket:|\/)/.test(connectionString)) throw new TypeError('no address');
    // The driver parses it.
    void new pg.Client({ connectionString });
  } catch {
    // Without the value, which may contain a password.
    throw new SettingError(
      'DATABASE_URL is not a connection string, such as postgres://user:password@host:5432/database.',
    );
  }
}
