import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Numeric ids of the account that the server runs as. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account to run the server as, or null for the account of this process. Postgres refuses to run as root,
 * so root uses the owner of the data folder, or `nobody` when root owns it.
 * @param cluster Postgres's data folder; it need not exist
 * @throws EmbeddedPostgresError when another account owns the folder, or root finds no account `nobody`
 */
export async function serverAccount(cluster: string): Promise<ServerAccount | null> {
  const self = process.getuid?.();
  if (self === undefined) return null;
  const owner = await stat(cluster).catch(() => null);
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new EmbeddedPostgresError(
        'folder_owned_by_other',
        `${cluster} belongs to the user with id ${owner.uid}, and this process runs as ${self}. Start it as the owner or as ` +
          `root, or change the owner (chown -R ${self} ${cluster}).`,
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
      'account_missing',
      'Postgres refuses to run as root, and this system has no account `nobody`. Start the process as another user.',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
