import { SCHEMA_VERSION } from '../schema/outbox-schema.js';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_INSTALLED: ReadonlySet<string> = new Set(['3F000', '42P01', '42703', '42883']);
const NOT_ALLOWED = '42501';

/** Returns what a failed statement means, in a sentence for the operator. */
export function describeDatabaseError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (NOT_INSTALLED.has(code))
    return `The database has no outbox of version ${SCHEMA_VERSION}: run "npx @waybill/outbox install". (${error.message})`;
  if (code === NOT_ALLOWED) return `The user of the relay lacks a privilege: ${error.message}`;
  // A refused connection to several addresses is an AggregateError without a message.
  return error.message || code || error.name;
}
