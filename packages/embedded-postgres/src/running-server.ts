import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkConnection } from './check-connection.js';
import { clusterFolder, connectionUrl, passwordFile } from './cluster.js';

/**
 * Returns how to connect to the embedded Postgres that another process runs on a folder, or null when none answers.
 * Holds the password: never log it.
 * @param name the `name` that the server was started with
 */
export async function runningServerUrl(folder: string, name: string): Promise<string | null> {
  const [pidFile, password] = await Promise.all([
    readFile(path.join(clusterFolder(folder), 'postmaster.pid'), 'utf8').catch(() => ''),
    readFile(passwordFile(folder), 'utf8').catch(() => ''),
  ]);
  // The fourth line is the port: https://www.postgresql.org/docs/18/storage-file-layout.html
  const port = Number(pidFile.split('\n')[3]);
  if (!Number.isSafeInteger(port) || port <= 0 || password === '') return null;
  const url = connectionUrl(name, password.trim(), port);
  return (await checkConnection(url)) === null ? url : null;
}
