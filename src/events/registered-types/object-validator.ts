import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { InputError } from '../../problems/problem.js';
import { formats } from './formats.js';
import { linearPattern } from './linear-pattern.js';
import { highestCost } from './schema-cost.js';
import { SchemaDocument } from './schema-document.js';

/** Most work for one object: its values times the cost of each by its schema, 10 at least. About 50 ms. */
const MOST_WORK = 100_000;

/** JSON Schema of the objects of a resource type. */
export type ObjectSchema = Readonly<Record<string, unknown>>;

/** Returns the first error of an object, with an RFC 6901 pointer into it; nothing when the object is valid. */
export type ObjectValidator = (object: unknown) => readonly InputError[];

/**
 * Compiles the schema of a resource type.
 * @param schema null: every object is valid
 * @throws Error when ajv refuses the schema; `schemaErrors` says why
 */
export function compileValidator(schema: ObjectSchema | null): ObjectValidator {
  if (schema === null) return () => [];
  const validate = newAjv().compile(schema);
  const most = Math.floor(MOST_WORK / Math.max(10, highestCost(new SchemaDocument(schema))));
  return (object) => {
    if (countValues(object) > most)
      return [{ pointer: '', detail: `must not have more than ${most} values with this schema` }];
    return validate(object) ? [] : (validate.errors ?? []).slice(0, 1).map(inputError);
  };
}

/** Returns the number of values in a value, itself included. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((count, member) => count + countValues(member), 1);
}

/**
 * A compiler of its own for each schema: it keeps every schema that it has compiled. `schemaErrors` checks the schema
 * against its meta-schema.
 */
function newAjv(): Ajv2020 {
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
    formats,
    code: { regExp: linearPattern },
    logger: false,
  });
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
