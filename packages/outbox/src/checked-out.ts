import type { Pool, PoolClient } from 'pg';

/** A lost connection fails its next statement. */
function ignoreLoss(): void {}

/**
 * Takes a connection out of a pool. Until it is given back with `giveBack`, its loss does not end the process.
 *
 * The pool does not listen to a connection that is in use. A listener that is added after `await pool.connect()` is too
 * late: the server's first answer and the message that it ends the connection may arrive in one packet.
 * @throws the error of `pool.connect`
 */
export function takeOut(pool: Pool): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) {
        reject(error ?? new Error('The pool gave no connection.'));
        return;
      }
      client.on('error', ignoreLoss);
      resolve(client);
    });
  });
}

/** Gives a connection of `takeOut` back to its pool, which closes it if `broken`. */
export function giveBack(client: PoolClient, broken = false): void {
  client.off('error', ignoreLoss);
  client.release(broken);
}
