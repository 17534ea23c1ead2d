/** Returns the parts of a JSON pointer (RFC 6901), unescaped. */
export function partsOf(pointer: string): readonly string[] {
  const [, ...parts] = pointer.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}
