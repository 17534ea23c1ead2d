import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ResponseHead } from './tally.js';

/** Opens a connection to the service. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

/** Returns a request without a body, as it is sent. */
export function requestText(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const STATUS_LINE = 'HTTP/1.1 ';

/**
 * Reads the heads of the responses on a socket, until there are `count` of them, the service ends the connection, or
 * `withinMs` pass. The bodies may not contain a status line.
 */
export async function readHeads(socket: Socket, count: number, withinMs: number): Promise<readonly ResponseHead[]> {
  const heads: ResponseHead[] = [];
  const timer = setTimeout(() => socket.destroy(), withinMs);
  let rest = '';
  socket.on('data', (part: Buffer) => {
    rest += part.toString('latin1');
    for (let start = rest.indexOf(STATUS_LINE); start !== -1; start = rest.indexOf(STATUS_LINE)) {
      const end = rest.indexOf('\r\n\r\n', start);
      if (end === -1) return;
      const head = rest.slice(start, end);
      heads.push({ status: Number(head.slice(9, 12)), hasRetryAfter: /\r\nretry-after:/i.test(head) });
      rest = rest.slice(end);
    }
    rest = rest.slice(-STATUS_LINE.length);
    if (heads.length >= count) socket.destroy();
  });
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(timer);
  return heads;
}
