import { isStorable, UNSTORABLE_DETAIL } from '../../../bounds/storable.js';
import { MAX_ERRORS, pointerTo } from '../../../http/problems/input-errors.js';
import type { InputError } from '../../../problems/problem.js';

/**
 * Returns an error for each value or name of a document that a data plane cannot read as it was meant: a number beyond
 * the range of a double, such as 1e400, and text with NUL or an unpaired surrogate, which both languages can escape.
 * @param document values of JSON, of few levels
 */
export function unfitValues(document: unknown): readonly InputError[] {
  const errors: InputError[] = [];
  inspect(document, [], errors);
  return errors;
}

function inspect(value: unknown, path: readonly (string | number)[], errors: InputError[]): void {
  if (errors.length >= MAX_ERRORS) return;
  const refuse = (detail: string) => void errors.push({ pointer: pointerTo(path, 'body'), detail });
  if (typeof value === 'string' && !isStorable(value)) refuse(UNSTORABLE_DETAIL);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('must be a number that a double can hold');
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspect(item, [...path, index], errors);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (isStorable(name)) inspect(member, [...path, name], errors);
      else refuse(`has a name that ${UNSTORABLE_DETAIL}`);
    }
  }
}
