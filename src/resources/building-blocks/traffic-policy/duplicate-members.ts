import { pointerTo } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';

/** Most errors of one document. */
const MOST_ERRORS = 50;

/** An object or a list that the scan is in. */
interface Container {
  /** The names of an object so far; null for a list. */
  readonly names: Set<string> | null;
  /** The name or index of the member that the scan is in. */
  at: string | number;
  /** Whether the next string is the name of a member. */
  expectsName: boolean;
}

/**
 * Returns an error for each member of a JSON document that repeats a name of its object. `JSON.parse` keeps the last of
 * them, and other parsers the first: a reader of the document could believe in another policy than the one applied.
 * Takes time in proportion to the length of the text.
 * @param json valid JSON
 */
export function duplicateMembers(json: string): readonly InputError[] {
  const errors: InputError[] = [];
  const open: Container[] = [];
  for (let index = 0; index < json.length && errors.length < MOST_ERRORS; index += 1) {
    const container = open.at(-1);
    switch (json.charAt(index)) {
      case '{':
        open.push({ names: new Set(), at: '', expectsName: true });
        break;
      case '[':
        open.push({ names: null, at: 0, expectsName: false });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof container?.at === 'number') container.at += 1;
        else if (container) container.expectsName = true;
        break;
      case '"': {
        const end = endOfString(json, index);
        if (container?.names && container.expectsName) {
          const name: unknown = JSON.parse(json.slice(index, end + 1));
          container.at = String(name);
          container.expectsName = false;
          if (container.names.has(container.at)) {
            const path = open.map(({ at }) => at);
            errors.push({ pointer: pointerTo(path, 'body'), detail: 'is given more than once' });
          }
          container.names.add(container.at);
        }
        index = end;
        break;
      }
    }
  }
  return errors;
}

/** Returns the index of the quotation mark that ends the string at `start`. */
function endOfString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
  return index;
}
