import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { Listener } from '../../config/listeners.js';
import { SettingError } from '../../config/setting-error.js';

/**
 * Listens on an address for a moment: a port in use is reported before the process creates or opens anything.
 * @throws SettingError when the process cannot listen there
 */
export async function checkPort(listener: Listener): Promise<void> {
  const server = createServer();
  try {
    server.listen(listener.port, listener.host);
    await once(server, 'listening');
  } catch (error) {
    throw new SettingError(portProblem(listener, error), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

function portProblem({ hostSetting, host, portSetting, port }: Listener, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${portSetting} is ${port}, and another program listens on ${address} (EADDRINUSE). Stop that program, or set another ${portSetting}.`;
    case 'EACCES':
      return `${portSetting} is ${port}, and this user must not listen on ${address} (EACCES). Set a ${portSetting} above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${hostSetting} is ${host}, which is no address of this machine (${code}). Set ${hostSetting} to one of its addresses, or to 0.0.0.0 for all of them.`;
    default:
      return `The process cannot listen on ${address}, the address of ${hostSetting} and ${portSetting}: ${String(error)}`;
  }
}
