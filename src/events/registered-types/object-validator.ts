import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { InputError } from '../../problems/problem.js';
import { formats } from './formats.js';
import { linearPattern } from './linear-pattern.js';

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
  return (object) => (validate(object) ? [] : (validate.errors ?? []).slice(0, 1).map(inputError));
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
