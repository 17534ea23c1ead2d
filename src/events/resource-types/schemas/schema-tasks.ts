import { LRUCache } from 'lru-cache';
import type { InputError } from '../../../problems/problem.js';
import { isJsonObject } from '../../envelope/json-object.js';
import { PATTERN_BYTES } from './linear-pattern.js';
import { compileValidator, type ObjectSchema, type ObjectValidator } from './object-validator.js';
import { checkSchema } from './schema-errors.js';

/** A schema as JSON, with a hash of its canonical form. */
export interface SchemaText {
  readonly key: string;
  readonly text: string;
}

/** What the thread of schemas is asked. */
export type SchemaTask =
  /** Whether a resource type may have the schema. */
  | { readonly kind: 'schema'; readonly schema: SchemaText }
  /** Whether objects are valid: a list of pairs as JSON, the index of the schema and the object. */
  | { readonly kind: 'objects'; readonly schemas: readonly SchemaText[]; readonly objects: string };

/** What the thread of schemas responds. */
export type SchemaResult =
  | { readonly kind: 'schema'; readonly errors: readonly InputError[] }
  /**
   * The first error of each object, or null. Fewer than the objects where they took long: ask again for the others.
   * `compiled` counts the schemas that were not in the cache.
   */
  | { readonly kind: 'objects'; readonly errors: readonly (InputError | null)[]; readonly compiled: number };

/** Time after which a task ends early, in milliseconds. Then another account has its turn. */
const SHARE_MS = 50;
/** Most compiled schemas, and most memory for them by an estimate, in bytes. */
const MOST_COMPILED = 500;
const MOST_BYTES = 64 * 1024 * 1024;
/** Memory of a compiled schema for each character of its JSON. Measured: 28 to 64 bytes. */
const BYTES_PER_CHARACTER = 64;

/** What the thread of schemas does. Keeps the compiled schemas. */
export class SchemaTasks {
  private readonly compiled = new LRUCache<string, ObjectValidator>({ max: MOST_COMPILED, maxSize: MOST_BYTES });

  /** Runs a task. It cannot be interrupted. */
  run(task: SchemaTask): SchemaResult {
    if (task.kind === 'schema') return { kind: 'schema', errors: this.schemaErrors(task.schema) };
    return this.objectErrors(task.schemas, task.objects);
  }

  private schemaErrors(schema: SchemaText): readonly InputError[] {
    if (this.compiled.has(schema.key)) return [];
    const checked = checkSchema(parsed(schema));
    if ('errors' in checked) return checked.errors;
    this.keep(schema, checked.validate);
    return [];
  }

  private objectErrors(schemas: readonly SchemaText[], json: string): SchemaResult {
    const end = performance.now() + SHARE_MS;
    const objects: readonly (readonly [number, unknown])[] = JSON.parse(json);
    const errors: (InputError | null)[] = [];
    let compiled = 0;
    for (const [index, object] of objects) {
      const schema = schemas[index];
      if (!schema) throw new Error(`The task has no schema ${index}.`);
      let validate = this.compiled.get(schema.key);
      if (!validate) {
        if (errors.length > 0 && performance.now() > end) break;
        validate = compileValidator(parsed(schema));
        this.keep(schema, validate);
        compiled += 1;
      }
      errors.push(validate(object));
      if (performance.now() > end) break;
    }
    return { kind: 'objects', errors, compiled };
  }

  private keep({ key, text }: SchemaText, validate: ObjectValidator): void {
    const patterns = text.match(/"pattern"|"patternProperties"/g)?.length ?? 0;
    const size = Math.min(MOST_BYTES, text.length * BYTES_PER_CHARACTER + patterns * PATTERN_BYTES);
    this.compiled.set(key, validate, { size });
  }
}

function parsed({ text }: SchemaText): ObjectSchema {
  const schema: unknown = JSON.parse(text);
  if (!isJsonObject(schema)) throw new Error('A schema is not an object.');
  return schema;
}
