/**
 * Returns a JSON value as text that does not depend on the order of members or on white space: members are in the order
 * of their names. https://www.rfc-editor.org/rfc/rfc8785
 * @param value of limited depth, without `undefined`
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
