import type { ApiClient } from '../harness/api-client.js';

/** Returns a text with an address of the console. It signs in once, with the client's key. */
export async function consoleLink(admin: ApiClient): Promise<string> {
  const { body } = await admin.send('POST', '/session_codes');
  return `This address signs in once, within ten minutes:\n\nConsole: ${String(body.url)}`;
}
