/** Most objects and lists within one another. Waybill accepts 32 in a request. */
const DEEPEST = 100;

/** White space before a colon, and an escaped quote before one: the colons after quotes are then not those of names. */
const uncertainColon = /"[ \t\r\n]+:|\\":/;

/** A text of JSON, and its value. */
export class JsonDocument {
  private foundFault: string | null | undefined;

  constructor(
    readonly text: string,
    readonly value: unknown,
  ) {}

  /**
   * Returns why no event is in such a text, or null: it is nested too deeply, or an object has two members of one name.
   * Parsers take the first of them or the last: the text means different things to different readers.
   */
  fault(): string | null {
    // The events of a packed record have this document in common.
    if (this.foundFault === undefined) this.foundFault = faultOf(this);
    return this.foundFault;
  }
}

function faultOf({ text, value }: JsonDocument): string | null {
  const members = membersIn(value);
  if (members === Infinity) return 'it is nested too deeply';
  return hasRepeatedMember(text, value, members) ? 'a member is there twice' : null;
}

function hasRepeatedMember(text: string, value: unknown, members: number): boolean {
  // Each member has such a colon. A value that begins with a colon only adds to them.
  if (!uncertainColon.test(text) && colonsAfterQuotes(text) === members) return false;
  // What JSON.stringify makes has each name once.
  if (JSON.stringify(value) === text) return false;
  const open: (Set<string> | null)[] = [];
  let string = '';
  for (let at = 0; at < text.length; at += 1) {
    const found = text[at];
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(null);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':') {
      const name = String(JSON.parse(string));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    } else if (found === '"') {
      const end = endOfString(text, at);
      string = text.slice(at, end);
      at = end - 1;
    }
  }
  return false;
}

/** Returns where the string that begins at a quote ends. A regular expression overflows the stack on a long one. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function colonsAfterQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}

/** Returns the number of members of all objects in a value; Infinity if it is nested too deeply. */
function membersIn(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === DEEPEST) return Infinity;
  const inner: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += membersIn(one, depth + 1);
  return count;
}
