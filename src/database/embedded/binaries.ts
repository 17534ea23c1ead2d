import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServerAccount } from './account.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { programEnvironment, runProgram } from './run-program.js';
import { linkLibraries, stageForAccount, stageInside } from './staging.js';

/** The programs of one Postgres that have been seen to run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Major version. */
  readonly major: number;
  /** Removes what was copied for this start only. */
  readonly dispose: () => Promise<void>;
}

/**
 * The folder (`bin`, `lib`, `share`) of the Postgres that npm installed for this platform.
 * @throws EmbeddedPostgresError when there is none.
 */
function installedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The package exports one module, dist/index.js; the programs lie beside its folder.
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `DATABASE_URL is not set, and the embedded Postgres for this platform (${name}) is not installed: it is an optional ` +
        'dependency, which npm leaves out with --omit=optional and where there is none. Install it, or set DATABASE_URL.',
      { cause: error },
    );
  }
}

/**
 * Finds programs that run as `account`: those that npm installed, as they are; else with the libraries' links put in place,
 * which the package's install script makes and npm may have been told not to run; else a copy. Root needs the copy when the
 * account cannot read the installed ones (a checkout under a home folder that is closed to others), and a user when the
 * links are missing and the installation is not theirs to mend.
 * @param dataDir where a user's copy goes.
 * @param installed the folder to take instead of npm's.
 * @throws EmbeddedPostgresError with what the system said, when none runs.
 */
export async function findBinaries(
  dataDir: string,
  account: ServerAccount | null,
  installed = installedFolder(),
): Promise<PostgresBinaries> {
  const asInstalled = await tryFolder(installed, account);
  if (typeof asInstalled !== 'string') return asInstalled;
  const links = await linkLibraries(installed);
  const linked = links === 'made' ? await tryFolder(installed, account) : asInstalled;
  if (typeof linked !== 'string') return linked;
  if (account === null && links !== 'not_allowed') throw doesNotRun(linked);
  const copy = account ? await stageForAccount(installed) : await stageInside(dataDir, installed);
  const staged = await tryFolder(copy.folder, account, copy.dispose);
  if (typeof staged !== 'string') return staged;
  await copy.dispose();
  throw doesNotRun(staged);
}

/** The programs in `folder` if they run as `account`, else what the system said. */
async function tryFolder(
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

function doesNotRun(said: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded Postgres does not run on this system. Set DATABASE_URL to use another one. The system said: ${said}`,
  );
}
