import type { InputError } from '../../problems/problem.js';
import { checkFilter } from '../filters/filter-check.js';
import { FilterError } from '../filters/filter-error.js';
import { isJsonObject } from '../json-object.js';
import { partsOf } from '../json-pointer.js';
import { pointerError } from '../registered-types/redaction-errors.js';
import type { SourceRule } from './event-rule.js';
import type { PayloadSchema } from './payload-schemas.js';
import { fixedMembers } from './projection.js';

/**
 * Returns what is wrong with a rule for the events of a type. The detail of a filter begins with the position.
 * @returns errors with a pointer into the rule
 */
export function ruleErrors({ filter, fields }: SourceRule, schema: PayloadSchema): readonly InputError[] {
  const ofFields = Object.entries(fields ?? {}).flatMap(([list, pointers]: [string, readonly string[] | undefined]) =>
    (pointers ?? []).flatMap((pointer, index) => {
      const detail = fieldError(pointer, schema);
      return detail === null ? [] : [{ pointer: `/fields/${list}/${index}`, detail }];
    }),
  );
  return [...(filter === null ? [] : filterErrors(filter, schema)), ...ofFields];
}

/** Returns what is wrong with a filter for the events of a type: at most one error, with the pointer `/filter`. */
export function filterErrors(filter: string, { payload }: PayloadSchema): readonly InputError[] {
  try {
    checkFilter(filter, payload);
    return [];
  } catch (error) {
    if (error instanceof FilterError) return [{ pointer: '/filter', detail: error.message, position: error.position }];
    throw error;
  }
}

/** A misspelt pointer would leave personal data in what is sent. */
function fieldError(pointer: string, { payload, registeredObject }: PayloadSchema): string | null {
  const [first = '', ...rest] = partsOf(pointer);
  if (first === '*') return 'must begin with the name of a member: some members of an event are always sent';
  if (fixedMembers.includes(first)) return `${first} is always sent: receivers match and order events by it`;
  if (first === 'object' && rest.length > 0 && registeredObject !== undefined) {
    const schema = registeredObject ?? { type: 'object' };
    return pointerError(pointer.slice('/object'.length), isJsonObject(schema) ? schema : {});
  }
  return pointerError(pointer, payload);
}
