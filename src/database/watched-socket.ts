import { Socket } from 'node:net';

/**
 * How long a connection to Postgres may be silent while something is expected of it, in milliseconds. More than a statement may
 * take on the server and more than a pool keeps an unused connection, so that silence means a server that is stopped or a network
 * that swallows everything: TCP itself would notice the one never, and the other after a quarter of an hour.
 */
export const ANSWER_TIMEOUT_MS = 25_000;

/** A socket for a connection to Postgres that fails with ETIMEDOUT after so long a silence; its queries fail with it. */
export function watchedSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
    const silence = new Error(`Postgres has said nothing for ${ANSWER_TIMEOUT_MS / 1000} s`);
    socket.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  });
  return socket;
}
