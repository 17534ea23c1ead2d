import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { refusalOf } from '../reachable.js';
import { CLUSTER_NAME, clusterFolder } from './cluster.js';

/**
 * How to reach the embedded Postgres that another process runs on a data folder, for a command that works beside it; null when
 * none answers. Holds the password: never log it.
 */
export async function runningServerOf(dataDir: string): Promise<string | null> {
  const [pidFile, password] = await Promise.all([
    readFile(path.join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8').catch(() => ''),
    readFile(path.join(dataDir, 'postgres.password'), 'utf8').catch(() => ''),
  ]);
  // The port is its fourth line: https://www.postgresql.org/docs/18/storage-file-layout.html
  const port = Number(pidFile.split('\n')[3]);
  if (!Number.isSafeInteger(port) || port <= 0 || password === '') return null;
  const connectionString = `postgresql://${CLUSTER_NAME}:${password.trim()}@127.0.0.1:${port}/${CLUSTER_NAME}`;
  return (await refusalOf(connectionString)) === null ? connectionString : null;
}
