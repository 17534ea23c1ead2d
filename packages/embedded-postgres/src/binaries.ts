import { createRequire } from 'node:module';
import path from 'node:path';
import { copyForAccount, copyInto, linkLibraries } from './binary-copy.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { programEnvironment, runProgram } from './run-program.js';
import type { ServerAccount } from './server-account.js';

/** Paths of Postgres programs that were tried and run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version. */
  readonly major: number;
  /** Removes a copy that serves one start only. */
  readonly dispose: () => Promise<void>;
}

/**
 * Returns the folder (`bin`, `lib`, `share`) of the Postgres that npm installed for this platform.
 * @throws EmbeddedPostgresError when none is installed
 */
function installedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The package exports dist/index.js alone; the programs are in the folder beside dist.
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      'binaries_missing',
      `The embedded Postgres for this platform (${name}) is not installed. It is an optional dependency: npm leaves it out ` +
        'with --omit=optional, and on platforms that have none.',
      { cause: error },
    );
  }
}

/**
 * Finds Postgres programs that run as `account`. Tries, in this order: the installed ones; the installed ones after
 * creating the links that the package's install script makes (npm skips it with --ignore-scripts); a copy. Root needs a
 * copy when the account cannot read the installation, an ordinary user when the links are missing in an installation of
 * another user.
 * @param folder where an ordinary user's copy goes
 * @param installed the folder to use instead of npm's
 * @throws EmbeddedPostgresError with the output of the last try, when none runs
 */
export async function findBinaries(
  folder: string,
  account: ServerAccount | null,
  installed = installedFolder(),
): Promise<PostgresBinaries> {
  const asInstalled = await tryBinaries(installed, account);
  if (typeof asInstalled !== 'string') return asInstalled;
  const links = await linkLibraries(installed);
  const linked = links === 'created' ? await tryBinaries(installed, account) : asInstalled;
  if (typeof linked !== 'string') return linked;
  if (account === null && links !== 'not_allowed') throw unusable(linked);
  const copy = account ? await copyForAccount(installed) : await copyInto(folder, installed);
  const copied = await tryBinaries(copy.folder, account, copy.dispose);
  if (typeof copied !== 'string') return copied;
  await copy.dispose();
  throw unusable(copied);
}

/** Returns the programs in `folder` if they run as `account`, otherwise the output of the failed try. */
async function tryBinaries(
  folder: string,
  account: ServerAccount | null,
  dispose = () => Promise.resolve(),
): Promise<PostgresBinaries | string> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => path.join(folder, 'bin', `${name}${suffix}`);
  const { code, output } = await runProgram(program('postgres'), ['--version'], {
    cwd: path.parse(folder).root,
    env: programEnvironment(),
    account,
  });
  // "postgres (PostgreSQL) 18.4"
  const version = /\(PostgreSQL\) (\d+)/.exec(output)?.[1];
  if (code !== 0 || version === undefined) return output || `exit code ${code}`;
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: Number(version),
    dispose,
  };
}

function unusable(output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'binaries_unusable',
    `The embedded Postgres does not run on this system. Output: ${output}`,
  );
}
