import { SERVICE_VERSION } from './request.js';

/** Returns a command that reads an address of the API, for a shell that has the key in `WAYBILL_API_KEY`. */
export function curlOf(address: string): string {
  return [
    `curl ${quoted(address)}`,
    `-H "Authorization: Bearer $WAYBILL_API_KEY"`,
    `-H ${quoted(`Service-Version: ${SERVICE_VERSION}`)}`,
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
