import { isJson, type Json } from './json.js';

/** One form of an object: the members that it needs, what differs in some, and the members that it excludes. */
interface Form {
  readonly title: string;
  readonly required: readonly string[];
  readonly properties: Json;
  readonly excluded: readonly string[];
}

/**
 * Returns the same schema as a union of closed objects, or null for a schema of another kind. Such a schema has
 * `properties`, `"additionalProperties": false`, and a `oneOf` of forms, such as `{ "title": "failed", "required":
 * ["state"], "properties": { "state": { "enum": ["rejected"] } }, "not": { "required": ["ids"] } }`. An excluded
 * member is left out of a form, which refuses it because the form is closed. Generators know no `not`, and make a type
 * without members of a form that has only `required`.
 */
export function unionOfClosedForms(schema: Json): Json | null {
  const { type, properties, required, additionalProperties, oneOf, ...annotations } = schema;
  if (!isJson(properties) || additionalProperties !== false || !Array.isArray(oneOf)) return null;
  const forms = oneOf.map((form: unknown) => formOf(form));
  if (!forms.every((form) => form !== null)) return null;
  const always = Array.isArray(required) ? required.map(String) : [];
  const union = forms.map((form) => ({
    title: form.title,
    type,
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([name, member]) =>
        form.excluded.includes(name) ? [] : [[name, refined(member, form.properties[name])]],
      ),
    ),
    required: [...new Set([...always, ...form.required])],
    additionalProperties,
  }));
  return { ...annotations, oneOf: union };
}

/** Returns a form, or null where a keyword has another meaning than those of forms. */
function formOf(value: unknown): Form | null {
  if (!isJson(value)) return null;
  const { title, required, properties = {}, not, ...others } = value;
  const excluded = excludedBy(not);
  if (typeof title !== 'string' || !isJson(properties) || excluded === null || Object.keys(others).length > 0)
    return null;
  return Array.isArray(required) ? { title, required: required.map(String), properties, excluded } : null;
}

/** Returns the members that `not` excludes, each on its own; null where it is more than that. */
function excludedBy(not: unknown): readonly string[] | null {
  if (not === undefined) return [];
  if (!isJson(not)) return null;
  const { anyOf, ...alone } = not;
  const parts: readonly unknown[] = Array.isArray(anyOf) && Object.keys(alone).length === 0 ? anyOf : [not];
  const names = parts.map((part) => {
    if (!isJson(part) || Object.keys(part).length !== 1 || !Array.isArray(part.required)) return null;
    const [name, ...rest]: unknown[] = part.required;
    return typeof name === 'string' && rest.length === 0 ? name : null;
  });
  return names.every((name) => name !== null) ? names : null;
}

/** A member as a form has it. `enum` and `const` of the form replace those of the member. */
function refined(member: unknown, change: unknown): unknown {
  if (!isJson(member) || !isJson(change)) return member;
  const { enum: _enum, const: _const, ...rest } = member;
  return { ...('enum' in change || 'const' in change ? rest : member), ...change };
}
