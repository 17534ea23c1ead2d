import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Logger } from './logger.js';
import { programEnvironment, runProgram, type ProgramContext } from './run-program.js';
import type { ServerAccount } from './server-account.js';
import { syncFolder } from './sync-folder.js';

/** Returns Postgres's own data folder (the database cluster) inside the embedded Postgres's folder. */
export function clusterFolder(folder: string): string {
  return path.join(folder, 'postgres');
}

/** Returns the file that holds the superuser's password (mode 0600). */
export function passwordFile(folder: string): string {
  return path.join(folder, 'postgres.password');
}

/** Returns how to connect to a server. Holds the password: never log it. */
export function connectionUrl(name: string, password: string, port: number): string {
  return `postgresql://${name}:${password}@127.0.0.1:${port}/${name}`;
}

/** The context of a program that works on a cluster. */
export interface ClusterContext extends ProgramContext {
  /** What the program gets as `-D`. */
  readonly dataArgument: string;
}

/**
 * Returns the context to run a program on a cluster. The working folder is the cluster, entered before the account
 * changes. Where the account cannot walk the path (a checkout under a home folder with mode 0700), Linux still opens
 * `/proc/self/cwd`, which leads to the folder itself.
 */
export function clusterContext(cluster: string, account: ServerAccount | null): ClusterContext {
  const dataArgument = account && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
  return { dataArgument, cwd: cluster, env: programEnvironment(), account };
}

/** What `ensureCluster` needs. */
export interface ClusterOptions {
  readonly folder: string;
  /** Name of the superuser and of the database. */
  readonly name: string;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount | null;
  readonly logger: Logger;
}

/**
 * Creates the cluster if it is missing, and returns the superuser's password. The cluster is built under a temporary
 * name and renamed when complete, so an interrupted first start leaves none.
 * @throws EmbeddedPostgresError when the cluster cannot be created, or another major version created it
 */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { folder, binaries } = options;
  const cluster = clusterFolder(folder);
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) {
    await createCluster(options);
  } else if (Number(version) !== binaries.major) {
    throw new EmbeddedPostgresError(
      'version_mismatch',
      `${cluster} was created by Postgres ${version.trim()}, and Postgres ${binaries.major} is installed, which cannot read it. ` +
        'Move the data with pg_dump, or use another folder.',
    );
  }
  const password = await readFile(passwordFile(folder), 'utf8').catch((error: unknown) => {
    throw new EmbeddedPostgresError(
      'folder_unusable',
      `${passwordFile(folder)}, the password of the embedded Postgres, cannot be read.`,
      { cause: error },
    );
  });
  return password.trim();
}

async function createCluster({ folder, name, binaries, account, logger }: ClusterOptions): Promise<void> {
  const started = performance.now();
  logger.info({ folder }, 'creating the embedded Postgres, which takes some seconds');
  await removeDrafts(folder);
  const password = randomBytes(24).toString('base64url');
  const draft = path.join(folder, `postgres.new-${randomBytes(4).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  if (account) await chown(draft, account.uid, account.gid);

  const context = clusterContext(draft, account);
  await mustRun(context, binaries.initdb, [
    `--pgdata=${context.dataArgument}`,
    `--username=${name}`,
    '--auth=reject',
    '--no-instructions',
    // Postgres's own rules for letters and order are the same on every system; those of the C library are not.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  // Stdin of a single-user server: command-line arguments would show the password to every user.
  await mustRun(
    context,
    binaries.postgres,
    ['--single', '-D', context.dataArgument, 'postgres'],
    `alter role "${name}" password '${password}'\ncreate database "${name}"\n`,
  );
  await writeFile(path.join(draft, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n', {
    flush: true,
  });
  await rm(passwordFile(folder), { force: true });
  await writeFile(passwordFile(folder), `${password}\n`, { mode: 0o600, flush: true });
  await rename(draft, clusterFolder(folder));
  await syncFolder(folder);
  logger.info({ seconds: Math.round((performance.now() - started) / 100) / 10 }, 'embedded Postgres created');
}

/** Removes what interrupted first starts left. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('postgres.new-')) continue;
    await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

async function mustRun(context: ClusterContext, program: string, args: readonly string[], input = ''): Promise<void> {
  const { code, output } = await runProgram(program, args, context, input);
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    'init_failed',
    `The embedded Postgres could not be created: ${path.basename(program)} ended with ${code ?? 'no exit code'}. Output:\n${output}`,
  );
}
