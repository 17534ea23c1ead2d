/** Deepest nesting that is read. An event of 64 KiB, as it is accepted, has far less. */
const DEEPEST = 1_000;

/** A string that is its own JSON, between quotes: nothing in it is escaped. */
const plainString = /^[ !#-[\]-\ud7ff]*$/;

/** Most names whose JSON is kept, and the length of the longest one. Events of one type have the same names. */
const MOST_NAMES = 10_000;
const LONGEST_NAME = 100;

const quotedNames = new Map<string, string>();

/**
 * Returns the JSON of a parsed value in the form of RFC 8785: members in the order of their names, no white space,
 * numbers as doubles. Two texts with the same meaning have the same form. A number that no double holds (`1e999`)
 * becomes `Infinity` or `-Infinity`, which no other JSON has.
 * @throws Error for a value that is nested too deeply
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value === 'string') return plainString.test(value) ? `"${value}"` : JSON.stringify(value);
  // -0 becomes 0.
  if (typeof value === 'number') return String(value);
  if (depth > DEEPEST) throw new Error('is nested too deeply');
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, depth + 1)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  let text = '{';
  // The default order is that of UTF-16 code units, as the RFC has it.
  for (const name of Object.keys(value).toSorted())
    text += `${text === '{' ? '' : ','}${quotedName(name)}:${canonicalJson(value[name], depth + 1)}`;
  return `${text}}`;
}

function quotedName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(name);
  if (name.length <= LONGEST_NAME && quotedNames.size < MOST_NAMES) quotedNames.set(name, quoted);
  return quoted;
}

/** Returns whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
