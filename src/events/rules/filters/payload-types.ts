import type { Environment } from '@marcbachmann/cel-js';
import { isJsonObject, type JsonObject } from '../../envelope/json-object.js';
import { partsOf } from '../../envelope/json-pointer.js';
import { baseEnvironment, filterVariables } from './filter-language.js';

/** Deepest nesting of a schema that is read; below it, every expression is accepted. */
const DEEPEST = 24;

/** Keywords with which a schema says more than its `properties` do. */
const openingKeywords = ['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'allOf', 'if', 'not'];

/**
 * The types of a payload, as CEL checks them, from its JSON Schema. What the schema leaves open is `dyn`: it is checked
 * when it is evaluated. A member that an object may have beside those of its schema counts as absent, unless the schema
 * says explicitly that there may be others.
 */
export class PayloadTypes {
  /** An environment with the members of the payload as variables. It checks, and never evaluates. */
  readonly environment: Environment = baseEnvironment();
  /** The members of the types of objects, by the name of the type. */
  private readonly members = new Map<string, ReadonlyMap<string, string>>();
  private readonly variables: ReadonlyMap<string, string>;
  private readonly named = new Map<unknown, string>();
  /** Every type of a member. */
  private readonly used = new Set<string>();

  constructor(schema: Readonly<Record<string, unknown>>) {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const known = filterVariables.filter((name) => Object.hasOwn(properties, name));
    this.variables = new Map(known.map((name) => [name, this.typeOf(properties[name], schema, 0)]));
    for (const [name, members] of this.members) {
      this.environment.registerType(name, { ctor: () => undefined, fields: Object.fromEntries(members) });
    }
    for (const [name, type] of this.variables) this.environment.registerVariable(name, type);
    this.allowMixedComparisons();
  }

  /** Returns the first name of a path that no event has; null when there may be such a member. */
  unknownMember([variable = '', ...names]: readonly string[]): string | null {
    let type = this.variables.get(variable);
    for (const name of names) {
      const members = type === undefined ? undefined : this.members.get(type);
      if (!members) return null;
      if (!members.has(name)) return name;
      type = members.get(name);
    }
    return null;
  }

  /** Numbers of JSON are doubles, and literals are mostly integers. Every value may be compared with null. */
  private allowMixedComparisons(): void {
    const { environment } = this;
    environment.registerOperator('double == int', never);
    environment.registerOperator('double in list<int>', never);
    for (const type of this.used) if (type !== 'dyn') environment.registerOperator(`${type} == null`, never);
  }

  private typeOf(schema: unknown, root: JsonObject, depth: number): string {
    const type = this.readType(schema, root, depth);
    this.used.add(type);
    return type;
  }

  /** @param root the schema that references begin at */
  private readType(schema: unknown, root: JsonObject, depth: number): string {
    if (!isJsonObject(schema) || depth > DEEPEST) return 'dyn';
    const base = typeof schema.$id === 'string' ? schema : root;
    const { $ref, anyOf, oneOf } = schema;
    if (typeof $ref === 'string') return this.typeOf(targetOf($ref, base), base, depth + 1);
    for (const choice of [anyOf, oneOf]) {
      if (Array.isArray(choice)) return this.commonType(choice, base, depth);
    }
    switch (jsonTypeOf(schema)) {
      case 'string':
        return 'string';
      case 'boolean':
        return 'bool';
      case 'number':
      case 'integer':
        return 'double';
      case 'array':
        return 'prefixItems' in schema ? 'list<dyn>' : `list<${this.typeOf(schema.items, base, depth + 1)}>`;
      case 'object':
        return this.objectType(schema, base, depth);
      default:
        return 'dyn';
    }
  }

  /** Returns the type that all choices but null have. */
  private commonType(choices: readonly unknown[], root: JsonObject, depth: number): string {
    const others = choices.filter((choice) => !(isJsonObject(choice) && choice.type === 'null'));
    const types = new Set(others.map((choice) => this.typeOf(choice, root, depth + 1)));
    const [type] = types;
    return types.size === 1 && type !== undefined ? type : 'dyn';
  }

  private objectType(schema: JsonObject, root: JsonObject, depth: number): string {
    const { properties } = schema;
    if (!isJsonObject(properties)) return 'dyn';
    if (openingKeywords.some((keyword) => keyword in schema && schema[keyword] !== false)) return 'dyn';
    const known = this.named.get(schema);
    if (known !== undefined) return known;
    const name = `Object${this.named.size + 1}`;
    this.named.set(schema, name);
    const types = Object.entries(properties).map(
      ([member, below]) => [member, this.typeOf(below, root, depth + 1)] as const,
    );
    this.members.set(name, new Map(types));
    return name;
  }
}

/** The handler of an operator that is only checked. */
function never(): boolean {
  throw new Error('This operator is never evaluated.');
}

/** Returns the type of JSON of a schema, null aside; undefined when it has several or none. */
function jsonTypeOf({ type, enum: values, const: value }: JsonObject): string | undefined {
  const types = [type].flat().filter((name) => name !== 'null');
  const [only] = types;
  if (types.length > 1) return undefined;
  if (typeof only === 'string') return only;
  const kinds = new Set(
    (Array.isArray(values) ? values : [value]).filter((item) => item !== null).map((item) => typeof item),
  );
  const [kind] = kinds;
  return kinds.size === 1 && (kind === 'string' || kind === 'boolean' || kind === 'number') ? kind : undefined;
}

/** Returns what a reference within a schema names. */
function targetOf(reference: string, root: JsonObject): unknown {
  if (!reference.startsWith('#')) return undefined;
  return partsOf(decodeURIComponent(reference.slice(1))).reduce<unknown>(
    (found, name) => (isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    root,
  );
}
