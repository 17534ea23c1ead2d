import { Socket } from 'node:net';

/**
 * Longest silence of a connection to Postgres, in milliseconds. It exceeds the statement timeout of the server and the
 * idle timeout of the pool, so silence means a stopped server or a network that drops every packet. TCP never detects
 * the first, and the second after a quarter of an hour.
 */
export const SILENCE_TIMEOUT_MS = 25_000;

/**
 * Returns a socket for a connection to Postgres that fails with ETIMEDOUT, and its queries with it, after that silence.
 */
export function watchedSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_TIMEOUT_MS, () => {
    const silence = new Error(`Postgres sent no data for ${SILENCE_TIMEOUT_MS / 1000} s`);
    socket.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  });
  return socket;
}
