import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/** Files of a running server that no copy may have. */
const ofTheServer = ['lock', 'postgres/postmaster.pid', 'postgres/postmaster.opts'];

/**
 * Takes a base backup of a running server, as pg_basebackup does, which the npm package lacks.
 * https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 * @param folder the folder of the server; `postgres` in it is the data folder
 * @param to the folder of the backup, which is created
 */
export async function takeBaseBackup(connectionString: string, folder: string, to: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('faults', fast => true)`);
    await mkdir(to, { mode: 0o700 });
    await copy(`${folder}/.`, to);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    // Everything up to the end of the backup.
    await copy(`${folder}/postgres/pg_wal/.`, join(to, 'postgres', 'pg_wal'));
    await writeOwned(join(to, 'postgres'), 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  for (const file of ofTheServer) await rm(join(to, file), { force: true });
}

/** Replaces the data folder of a stopped server by that of a backup. */
export async function putBack(backup: string, folder: string): Promise<void> {
  await rm(join(folder, 'postgres'), { recursive: true });
  await copy(join(backup, 'postgres'), folder);
}

/** Makes a backup a standby of a primary: it streams when it is started. */
export async function makeStandby(backup: string, primary: string): Promise<void> {
  const data = join(backup, 'postgres');
  const { hostname, port, username, password } = new URL(primary);
  const from = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  await writeOwned(data, 'standby.signal', '');
}

/** Lets standbys stream from a server, after its settings are read again. */
export async function allowReplication(folder: string): Promise<void> {
  await appendFile(join(folder, 'postgres', 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n');
}

/** Writes a file of a data folder, for the account of the server. */
async function writeOwned(data: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(data);
  await writeFile(join(data, name), text);
  await chown(join(data, name), uid, gid);
}

/** Keeps owners. Files of a running server may vanish while they are copied, which `cp` reports in the end. */
async function copy(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]).catch((error: unknown) => {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    const others = text.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'));
    if (others.length > 0) throw new Error(`The data folder cannot be copied: ${others.join(' ')}`, { cause: error });
  });
}
