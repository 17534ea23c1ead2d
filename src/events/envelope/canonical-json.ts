import { isJsonObject } from './json-object.js';

/**
 * Returns a JSON value as text that does not depend on the order of members or on white space: members are in the order
 * of their names. https://www.rfc-editor.org/rfc/rfc8785
 * @param value of limited depth, without `undefined`
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  let text = '';
  // The default order is that of UTF-16 code units, as the RFC has it.
  for (const name of Object.keys(value).toSorted())
    text += `${text && ','}${JSON.stringify(name)}:${canonicalJson(value[name])}`;
  return `{${text}}`;
}
