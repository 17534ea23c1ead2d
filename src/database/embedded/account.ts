import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The operating system's account that the server runs as, by number. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to run the server as, or null for the one that this process has. Postgres refuses to run as root, so root gives
 * it away: to the owner of the data folder where that is someone else already, else to `nobody`.
 * @param clusterFolder the data folder; it need not exist yet.
 */
export async function serverAccount(clusterFolder: string): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterFolder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const nobody = passwd.split('\n').find((line) => line.startsWith('nobody:'));
  const [, , uid, gid] = nobody?.split(':') ?? [];
  if (uid === undefined || gid === undefined) {
    throw new EmbeddedPostgresError(
      'Postgres refuses to run as root, and this system has no account `nobody` to run it as. ' +
        'Start Waybill as another user, or set DATABASE_URL.',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
