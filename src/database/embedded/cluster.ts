import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../logging/logger.js';
import type { ServerAccount } from './account.js';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Name of the superuser and of the database. */
export const CLUSTER_NAME = 'waybill';

/** Where everything of one embedded Postgres lies. */
export interface ClusterPaths {
  /** Postgres's own data folder. */
  readonly cluster: string;
  readonly password: string;
}

/** The places inside DATA_DIR. */
export function clusterPaths(dataDir: string): ClusterPaths {
  return { cluster: path.join(dataDir, 'postgres'), password: path.join(dataDir, 'postgres.password') };
}

/**
 * How to run a program of Postgres on the data folder. Its working folder is the data folder, entered before the account
 * changes; where the account could not walk the path to it (a checkout under a home folder that only root may enter), Linux
 * still lets it use `/proc/self/cwd`, which leads to the folder itself and not along the path.
 */
export function onCluster(cluster: string, account: ServerAccount | null) {
  const folder = account && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
  return { folder, cwd: cluster, env: programEnvironment(), account };
}

/** The little that Postgres needs of the environment; the rest holds this service's secrets. */
function programEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'COMSPEC'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/**
 * Makes sure that there is a data folder, making it on the first start: under another name until it is whole, so that an
 * interrupted first start leaves nothing that looks like one. Returns the superuser's password.
 * @throws EmbeddedPostgresError when it cannot be made, or belongs to another major version.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: ServerAccount | null,
  logger: Logger,
): Promise<string> {
  const paths = clusterPaths(dataDir);
  await removeUnfinished(dataDir);
  const version = await readFile(path.join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version !== null) return (await readFile(paths.password, 'utf8')).trim();

  const started = performance.now();
  logger.info({ dataDir }, 'first start: making the embedded Postgres, which takes some seconds');
  const password = randomBytes(24).toString('base64url');
  const unfinished = path.join(dataDir, `postgres.new-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);

  const place = onCluster(unfinished, account);
  await run(binaries.initdb, place, [
    ...['-D', place.folder, '-U', CLUSTER_NAME, '--encoding=UTF8', '--locale=C'],
    // UTF-8 rules for letters that are the same on every system: they come with Postgres itself, not from the C library.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth=reject', '--no-instructions'],
  ]);
  // The password goes in through a server without network, by its standard input: never in arguments, which others can see.
  await run(
    binaries.postgres,
    place,
    ['--single', '-D', place.folder, 'postgres'],
    `alter role ${CLUSTER_NAME} password '${password}'\ncreate database ${CLUSTER_NAME}\n`,
  );
  await writeFile(path.join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await writeFile(paths.password, `${password}\n`, { mode: 0o600 });
  await rename(unfinished, paths.cluster);
  await syncFolder(dataDir);
  logger.info({ seconds: Math.round((performance.now() - started) / 100) / 10 }, 'embedded Postgres made');
  return password;
}

/** What an interrupted first start left. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('postgres.new-'))
      await rm(path.join(dataDir, name), { recursive: true, force: true });
  }
}

/** Makes the renaming itself survive a power cut. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Runs a program to its end. */
async function run(
  program: string,
  place: ReturnType<typeof onCluster>,
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = spawn(program, args, { cwd: place.cwd, env: place.env, ...place.account, windowsHide: true });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      `${program} could not be started${error instanceof Error ? `: ${error.message}` : ''}. Set DATABASE_URL to use another Postgres.`,
      { cause: error },
    );
  });
  if (code !== 0) {
    throw new EmbeddedPostgresError(`${program} failed (exit ${code}). It said:\n${output.trim()}`);
  }
}
