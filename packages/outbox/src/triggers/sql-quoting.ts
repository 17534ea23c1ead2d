/** Returns a name as an identifier of SQL. */
export function quotedIdentifier(name: string): string {
  return `"${checked(name).replaceAll('"', '""')}"`;
}

/** Returns text as a literal of SQL, for any value of standard_conforming_strings. */
export function quotedLiteral(text: string): string {
  const quoted = `'${checked(text).replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return quoted.includes('\\') ? ` E${quoted}` : quoted;
}

const partOfName = /(?:"((?:[^"]|"")+)"|([^".]+))(\.|$)/y;

/**
 * Returns the parts of the name of a table, such as `public.orders`. A part in double quotes may have any characters. A
 * part without quotes is taken as it is: upper case remains.
 * @throws RangeError when it is not a name of one or two parts
 */
export function partsOfName(table: string): readonly string[] {
  const parts: string[] = [];
  partOfName.lastIndex = 0;
  while (partOfName.lastIndex < table.length) {
    const [, quoted, plain, end] = partOfName.exec(table) ?? [];
    const part = quoted?.replaceAll('""', '"') ?? plain;
    if (part === undefined || (end === '.' && partOfName.lastIndex === table.length)) return invalidName(table);
    parts.push(part);
  }
  return parts.length === 1 || parts.length === 2 ? parts : invalidName(table);
}

function invalidName(table: string): never {
  throw new RangeError(
    `${JSON.stringify(table)} is no name of a table: use orders, public.orders or "odd.name"."orders".`,
  );
}

function checked(text: string): string {
  if (text.includes('\0')) throw new RangeError('A name in SQL cannot have a NUL character.');
  return text;
}
