import { sha256 } from '@noble/hashes/sha2.js';

/** Deepest nesting that is read. An event of 64 KiB, as it is accepted, has far less. */
const DEEPEST = 1_000;

const encoder = new TextEncoder();

/**
 * Returns the JSON of a parsed value in the form of RFC 8785: members in the order of their names, no white space,
 * numbers as doubles. Two texts with the same meaning have the same form. A number that no double holds (`1e999`)
 * becomes `Infinity` or `-Infinity`, which no other JSON has.
 * @throws Error for a value that is nested too deeply
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (depth > DEEPEST) throw new Error('is nested too deeply');
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one, depth + 1)).join(',')}]`;
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/**
 * Returns the SHA-256 of the canonical JSON of a value: 32 characters of one byte each, which need less memory than
 * hexadecimal digits. `crypto.subtle` does not exist in pages of plain HTTP.
 * @throws Error for a value that is nested too deeply
 */
export function digestOf(value: unknown): string {
  return String.fromCharCode(...sha256(encoder.encode(canonicalJson(value))));
}
