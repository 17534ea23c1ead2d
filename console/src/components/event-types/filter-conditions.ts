/** A JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

/** Deepest member that is offered: `changes.after.cidr`. */
const DEEPEST = 3;
/** Members that say nothing about one event among those of its type. */
const LEFT_OUT = new Set(['event_id', 'event_type', 'account_id', 'epoch', 'sequence', 'uri']);

/**
 * Returns conditions that a filter may have, one for each member of the payload that has one value:
 * `object.action == "allow"`. A member that may be absent is asked for first: `has(changes.after.cidr) && …`.
 * @param schema the JSON Schema of the payload
 */
export function conditionsOf(schema: Schema): readonly string[] {
  return membersOf(schema, schema, '', false, 1);
}

function membersOf(root: Schema, schema: Schema, path: string, mayBeAbsent: boolean, depth: number): readonly string[] {
  const { properties, required, allOf } = resolved(root, schema);
  const always = new Set(Array.isArray(required) ? required : []);
  const own = Object.entries(asSchema(properties)).flatMap(([name, member]) => {
    if (LEFT_OUT.has(name)) return [];
    const below = path === '' ? name : `${path}.${name}`;
    const absent = mayBeAbsent || !always.has(name);
    const value = resolved(root, asSchema(member));
    const sample = sampleOf(value);
    if (sample !== null) return [`${absent ? `has(${below}) && ` : ''}${below} == ${sample}`];
    return depth < DEEPEST ? membersOf(root, value, below, absent, depth + 1) : [];
  });
  const joined = Array.isArray(allOf)
    ? allOf.flatMap((part) => membersOf(root, asSchema(part), path, mayBeAbsent, depth))
    : [];
  return [...own, ...joined];
}

/** Returns what a reference names, and of a member that may be null the other schema. */
function resolved(root: Schema, schema: Schema): Schema {
  const { $ref: reference, anyOf } = schema;
  if (typeof reference === 'string') {
    const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1];
    return name === undefined ? {} : asSchema(asSchema(root.$defs)[name]);
  }
  if (!Array.isArray(anyOf)) return schema;
  const others = anyOf.map(asSchema).filter(({ type }) => type !== 'null');
  return others.length === 1 ? resolved(root, asSchema(others[0])) : schema;
}

/** Returns a value that a member may have, in CEL; null for an object or a list. */
function sampleOf({ type, enum: values, const: only }: Schema): string | null {
  const [first]: unknown[] = Array.isArray(values) ? values : [only];
  if (typeof first === 'string') return JSON.stringify(first);
  const types: unknown[] = [type].flat();
  if (types.includes('string')) return '"…"';
  if (types.includes('boolean')) return 'true';
  return types.includes('integer') || types.includes('number') ? '1' : null;
}

function asSchema(value: unknown): Schema {
  // Whatever it is, its members are read as unknown.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}
