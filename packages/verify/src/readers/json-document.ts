/** Strings, and the characters that structure a text of JSON. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;

/** White space before a colon, and an escaped quote before one: the colons after quotes are then not those of names. */
const uncertainColon = /"[ \t\r\n]+:|\\":/;

/** A text of JSON, and its value. */
export class JsonDocument {
  private isRepeated: boolean | undefined;

  constructor(
    readonly text: string,
    readonly value: unknown,
  ) {}

  /**
   * Returns whether an object in the text has two members of one name. Parsers take the first of them or the last: such
   * a text means different things to different readers.
   */
  hasRepeatedMember(): boolean {
    // The events of a packed record have this document in common.
    this.isRepeated ??= isRepeated(this);
    return this.isRepeated;
  }
}

function isRepeated({ text, value }: JsonDocument): boolean {
  // Each member has such a colon. A value that begins with a colon only adds to them.
  if (!uncertainColon.test(text) && colonsAfterQuotes(text) === membersIn(value)) return false;
  // What JSON.stringify makes has each name once.
  if (JSON.stringify(value) === text) return false;
  const open: (Set<string> | null)[] = [];
  let string = '';
  for (const [found] of text.matchAll(token)) {
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const name = String(JSON.parse(string));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    } else if (found !== ',') string = found;
  }
  return false;
}

function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}

/** Returns the number of members of all objects in a value. */
function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += membersIn(one);
  return count;
}
