import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { InputError } from '../../../problems/problem.js';
import { formats, LONGEST_FORMATTED_TEXT } from './formats.js';
import { linearPattern } from './linear-pattern.js';
import { costOf } from './schema-cost.js';
import { SchemaDocument } from './schema-document.js';
import { MOST_TEXT_WORK, TextBudget, TextBudgetExceeded } from './text-budget.js';

/**
 * Most work for one object: its values times the cost of each by its schema, 10 at least, and its characters times the
 * number of their counts. About 50 ms.
 */
const MOST_WORK = 100_000;
/** Characters that are counted in one unit. */
const CHARACTERS_PER_UNIT = 150;

/** JSON Schema of the objects of a resource type. */
export type ObjectSchema = Readonly<Record<string, unknown>>;

/** Returns the first error of an object, with an RFC 6901 pointer into it; null when the object is valid. */
export type ObjectValidator = (object: unknown) => InputError | null;

/**
 * Compiles the schema of a resource type. Takes hundreds of milliseconds for a large one: call it in the thread of
 * schemas (schema-thread.ts).
 * @throws Error when ajv refuses the schema; `schemaErrors` says why
 */
export function compileValidator(schema: ObjectSchema): ObjectValidator {
  const budget = new TextBudget();
  const validate = newAjv(budget).compile(schema);
  const cost = costOf(SchemaDocument.of(schema));
  const ofValue = Math.max(10, cost.value);
  return (object) => {
    const size = sizeOf(object);
    const left = MOST_WORK - cost.fixed - (size.characters * cost.lengths) / CHARACTERS_PER_UNIT;
    if (size.values * ofValue > left) return tooLarge(size, Math.floor(left / ofValue));
    budget.reset();
    try {
      const [error] = validate(object) ? [] : (validate.errors ?? []);
      return error ? inputError(error) : null;
    } catch (error) {
      if (error instanceof TextBudgetExceeded) return { pointer: '', detail: TOO_MUCH_TEXT };
      throw error;
    }
  };
}

const TOO_MUCH_TEXT = `must have less text under patterns and formats: its characters, times the lengths of the patterns that read them, are limited to ${MOST_TEXT_WORK}`;

function tooLarge({ values, characters }: ObjectSize, most: number): InputError {
  const detail =
    values > most && most > 0
      ? `must not have more than ${most} values with this schema`
      : `must not have ${characters} characters with this schema, which counts them too often`;
  return { pointer: '', detail };
}

interface ObjectSize {
  /** Values, the object itself included. */
  readonly values: number;
  /** Characters of its texts, and of the names of its members. */
  readonly characters: number;
}

function sizeOf(object: unknown): ObjectSize {
  let values = 0;
  let characters = 0;
  const add = (value: unknown): void => {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(add);
    for (const [name, member] of Object.entries(value)) {
      characters += name.length;
      add(member);
    }
  };
  add(object);
  return { values, characters };
}

/**
 * A compiler of its own for each schema: it keeps every schema that it has compiled. `schemaErrors` checks the schema
 * against its meta-schema.
 */
function newAjv(budget: TextBudget): Ajv2020 {
  const regExp = Object.assign((pattern: string) => linearPattern(pattern, budget), { code: 'linearPattern' });
  return new Ajv2020({
    strict: true,
    // `["string", "null"]` and `anyOf` of lists of required members are common.
    allowUnionTypes: true,
    strictRequired: false,
    meta: false,
    validateSchema: false,
    // A member such as `constructor` is absent unless the object itself has it.
    ownProperties: true,
    // Each use of a definition is a call: the code grows with the schema, not with the number of uses.
    inlineRefs: false,
    // 0.1 / 0.01 is not a whole number in binary.
    multipleOfPrecision: 9,
    formats: countedFormats(budget),
    code: { regExp },
    logger: false,
  });
}

/** Returns the formats, whose work the budget counts. */
function countedFormats(budget: TextBudget): typeof formats {
  return Object.fromEntries(
    Object.entries(formats).map(([name, test]) => [
      name,
      (text: string) => {
        budget.spend(Math.min(text.length, LONGEST_FORMATTED_TEXT), 1);
        return test(text);
      },
    ]),
  );
}

function inputError({ instancePath, keyword, message = 'is invalid', params }: ErrorObject): InputError {
  const named: Readonly<Record<string, unknown>> = params;
  const name = namedMember(keyword, named);
  if (name !== null) return { pointer: `${instancePath}/${escaped(name)}`, detail: memberDetails[keyword] ?? message };
  if (keyword === 'false schema') return { pointer: instancePath, detail: 'is not allowed' };
  if (keyword === 'enum' || keyword === 'const') return { pointer: instancePath, detail: 'is not an allowed value' };
  return { pointer: instancePath, detail: message.replace('NOT', 'not') };
}

const memberDetails: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is unknown',
  unevaluatedProperties: 'is unknown',
};

/** The member that an error names instead of pointing to it. */
function namedMember(keyword: string, params: Readonly<Record<string, unknown>>): string | null {
  const name =
    keyword === 'required' ? params.missingProperty : (params.additionalProperty ?? params.unevaluatedProperty);
  return typeof name === 'string' && keyword in memberDetails ? name : null;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
