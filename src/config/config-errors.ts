import type { z } from 'zod';
import { settingOf } from './setting.js';

/** Limit for the characters of a value in a message. */
const MAX_SHOWN_CHARACTERS = 80;

/**
 * Returns a sentence for each invalid setting: what it accepts and what was given. Of a secret, only the scheme of a
 * URL is shown.
 */
export function configErrors(
  issues: readonly z.core.$ZodIssue[],
  schemas: Readonly<Record<string, z.ZodType>>,
  given: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const sentences = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = String(path[0]);
    const schema = schemas[name];
    if (schema === undefined || sentences.has(name)) continue;
    // A message that begins with the name is a complete sentence.
    sentences.set(name, message.startsWith(name) ? message : describeError(name, schema, given[name] ?? ''));
  }
  return [...sentences.values()];
}

function describeError(name: string, schema: z.ZodType, value: string): string {
  const { values, advice, secret } = settingOf(schema);
  const accepted = values.replaceAll('`', '');
  const scheme = /^[a-z][a-z0-9+.-]{0,15}:\/\//i.exec(value)?.[0];
  if (!secret) return `${name} is ${shown(value)}. Set it to ${accepted}.`;
  if (scheme !== undefined)
    return `${name} is "${scheme}…" (the rest is secret). Set it to ${accepted}.${advice === undefined ? '' : ` ${advice}`}`;
  const problem = values.includes('://') ? 'has no scheme ("…://")' : 'is invalid';
  return `${name} ${problem}; its value is secret and not shown. Set it to ${accepted}.`;
}

/** Returns the value for a message, without a user name, a password and the query of a URL. */
function shown(value: string): string {
  const bare = value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/(:\/\/[^?]*\?).+$/s, '$1…');
  return JSON.stringify(bare.length > MAX_SHOWN_CHARACTERS ? `${bare.slice(0, MAX_SHOWN_CHARACTERS)}…` : bare);
}
