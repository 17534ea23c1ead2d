import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../files/sync-folder.js';
import type { Logger } from '../../logging/logger.js';
import type { ServerAccount } from './account.js';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { programEnvironment, runProgram, type ProgramPlace } from './run-program.js';

/** Name of the superuser and of the database. */
export const CLUSTER_NAME = 'waybill';

/** Postgres's own data folder inside DATA_DIR. */
export function clusterFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/** The place to run a program of Postgres at, and the name it must use for the data folder (`-D`). */
export interface ClusterPlace extends ProgramPlace {
  readonly folder: string;
}

/**
 * How to run a program on a data folder. Its working folder is the data folder, entered before the account changes; where
 * that account could not walk the path (a checkout under a home folder that only root may enter), Linux still lets it use
 * `/proc/self/cwd`, which leads to the folder itself and not along the path.
 */
export function onCluster(cluster: string, account: ServerAccount | null): ClusterPlace {
  const folder = account && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
  return { folder, cwd: cluster, env: programEnvironment(), account };
}

/**
 * Makes sure that there is a data folder, making it on the first start: under another name until it is whole, so that an
 * interrupted first start leaves nothing that looks like one. Returns the superuser's password, which is kept in
 * DATA_DIR/postgres.password (mode 0600).
 * @throws EmbeddedPostgresError when it cannot be made, or is of another major version.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  logger: Logger,
): Promise<string> {
  const cluster = clusterFolder(dataDir);
  const passwordFile = path.join(dataDir, 'postgres.password');
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) {
    await makeCluster(dataDir, passwordFile, binaries, account, logger);
  } else if (Number(version) !== binaries.major) {
    throw new EmbeddedPostgresError(
      `${cluster} was made by Postgres ${version.trim()}, and this Waybill brings Postgres ${binaries.major}, which cannot read ` +
        'it. Run the Waybill that made it, move the data over with pg_dump, or set another DATA_DIR.',
    );
  }
  const password = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${passwordFile}, the password of the embedded Postgres, cannot be read.`,
      { cause: error },
    );
  });
  return password.trim();
}

async function makeCluster(
  dataDir: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  logger: Logger,
): Promise<void> {
  const started = performance.now();
  logger.info({ dataDir }, 'first start: making the embedded Postgres, which takes some seconds');
  await removeUnfinished(dataDir);
  const password = randomBytes(24).toString('base64url');
  const unfinished = path.join(dataDir, `postgres.new-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);

  const place = onCluster(unfinished, account);
  await mustRun(place, binaries.initdb, [
    `--pgdata=${place.folder}`,
    `--username=${CLUSTER_NAME}`,
    '--auth=reject',
    '--no-instructions',
    // Letters and order by the rules of Postgres itself, the same on every system, not by those of the C library.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  // The password goes in by standard input of a server without network; arguments would show it to every user.
  await mustRun(
    place,
    binaries.postgres,
    ['--single', '-D', place.folder, 'postgres'],
    `alter role ${CLUSTER_NAME} password '${password}'\ncreate database ${CLUSTER_NAME}\n`,
  );
  await writeFile(path.join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n', {
    flush: true,
  });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, clusterFolder(dataDir));
  await syncFolder(dataDir);
  logger.info({ seconds: Math.round((performance.now() - started) / 100) / 10 }, 'embedded Postgres made');
}

/** What interrupted first starts left. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('postgres.new-')) continue;
    await rm(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function mustRun(
  place: ClusterPlace,
  program: string,
  args: readonly string[],
  input = '',
): Promise<void> {
  const { code, output } = await runProgram(program, args, place, input);
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    `The embedded Postgres could not be made: ${path.basename(program)} ended with ${code ?? 'no exit code'}. It said:\n${output}`,
  );
}
