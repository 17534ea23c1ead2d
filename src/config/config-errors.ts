import type { z } from 'zod';
import { settingOf } from './setting.js';

/** Most characters of a value that are shown. */
const MOST_SHOWN = 80;

/**
 * A sentence for each setting whose value cannot be used: what it takes and what was given, of secrets no more than how an
 * address begins.
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
    // What names its setting is a sentence already.
    sentences.set(name, message.startsWith(name) ? message : refusal(name, schema, given[name] ?? ''));
  }
  return [...sentences.values()];
}

function refusal(name: string, schema: z.ZodType, value: string): string {
  const { values, advice, secret } = settingOf(schema);
  const taken = values.replaceAll('`', '');
  const scheme = /^[a-z][a-z0-9+.-]{0,15}:\/\//i.exec(value)?.[0];
  if (!secret) return `${name} takes ${taken}, not ${shown(value)}.`;
  if (scheme !== undefined)
    return `${name} takes ${taken}, not "${scheme}…" (the rest is not shown: it may be secret).${advice === undefined ? '' : ` ${advice}`}`;
  const given = values.includes('://') ? 'something that does not begin with "…://"' : 'what it is set to';
  return `${name} takes ${taken}, not ${given} (not shown: it may be secret).`;
}

/** The value without what may be a name and a password in it, or a key in the query of an address. */
function shown(value: string): string {
  const bare = value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1…@').replace(/(:\/\/[^?]*\?).+$/s, '$1…');
  return JSON.stringify(bare.length > MOST_SHOWN ? `${bare.slice(0, MOST_SHOWN)}…` : bare);
}
