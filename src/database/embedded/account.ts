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
 * @param cluster Postgres's data folder; it need not exist yet.
 * @throws EmbeddedPostgresError when the folder belongs to someone else, or root finds no account to give it to.
 */
export async function serverAccount(cluster: string): Promise<ServerAccount | null> {
  const self = process.getuid?.();
  if (self === undefined) return null;
  const owner = await stat(cluster).catch(() => null);
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new EmbeddedPostgresError(
        `${cluster} belongs to the user with id ${owner.uid}, and this process runs as ${self}. Start Waybill as the user who ` +
          `made it (or as root), give the folder away (chown -R ${self} ${cluster}), or set another DATA_DIR.`,
      );
    }
    return null;
  }
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
