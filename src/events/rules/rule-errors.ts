import type { InputError } from '../../problems/problem.js';
import type { JsonObject } from '../envelope/json-object.js';
import { partsOf } from '../envelope/json-pointer.js';
import { pointerError, valuesAt } from '../resource-types/redaction-errors.js';
import type { SourceRule } from './event-rule.js';
import { checkFilter } from './filters/filter-check.js';
import { FilterError } from './filters/filter-error.js';
import type { PayloadSchema } from './payload-schemas.js';
import { fixedMembers } from './projection.js';

/**
 * Returns what is wrong with a rule for the events of a type. The detail of a filter begins with the position.
 * @returns errors with a pointer into the rule
 */
export function ruleErrors({ filter, fields }: SourceRule, schema: PayloadSchema): readonly InputError[] {
  const ofFields = Object.entries(fields ?? {}).flatMap(([list, pointers]: [string, readonly string[] | undefined]) =>
    (pointers ?? []).flatMap((pointer, index) => {
      const detail = fieldError(pointer, schema) ?? (list === 'hash' ? hashError(pointer, schema) : null);
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

/** Fewest values that a hashed member may have: who can publish events tries as many in some minutes. */
const FEWEST_HASHED = 1_000_000;

/** The hash of one of few values hides nothing: each of them can be published, and its hash compared. */
function hashError(pointer: string, schema: PayloadSchema): string | null {
  const { within, at } = schemaAt(pointer, schema);
  const values = valuesAt(at, within);
  if (values >= FEWEST_HASHED) return null;
  return `has only ${values} values, whose hashes can be found by trying: use exclude`;
}

/** A misspelt pointer would leave personal data in what is sent. */
function fieldError(pointer: string, schema: PayloadSchema): string | null {
  const [first = ''] = partsOf(pointer);
  if (first === '*') return 'must begin with the name of a member: some members of an event are always sent';
  if (fixedMembers.includes(first)) return `${first} is always sent: receivers match and order events by it`;
  const { within, at } = schemaAt(pointer, schema);
  return pointerError(at, within);
}

/** Returns the schema that describes what a pointer into an event leads to, and the pointer into its values. */
function schemaAt(
  pointer: string,
  { payload, registeredObject }: PayloadSchema,
): { readonly within: JsonObject; readonly at: string } {
  const [first, ...rest] = partsOf(pointer);
  if (first !== 'object' || rest.length === 0 || registeredObject === undefined)
    return { within: payload, at: pointer };
  return { within: registeredObject ?? { type: 'object' }, at: pointer.slice('/object'.length) };
}
