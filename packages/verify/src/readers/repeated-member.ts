import type { JsonDocument } from './event-line.js';

/** Strings, and the characters that structure a text of JSON. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/**
 * Returns whether an object in a text of JSON has two members of one name. Parsers take the first of them or the last:
 * such a text means different things to different readers.
 */
export function hasRepeatedMember({ text, value }: JsonDocument): boolean {
  // What JSON.stringify makes has each name once.
  if (JSON.stringify(value) === text) return false;
  const open: (Set<string> | null)[] = [];
  let string = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const name = String(JSON.parse(string));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    } else if (found !== ',') string = found;
  }
  return false;
}
