/** A text of an OpenAPI document. */
export interface OpenApiText {
  /** JSON Pointer to it: the first, where several are the same. */
  readonly pointer: string;
  readonly text: string;
}

/** The members of an OpenAPI document that hold prose. */
const proseMembers = new Set(['summary', 'description']);

/** Collects the summaries and descriptions of an OpenAPI document, each different text once. */
export function openApiTexts(document: unknown): readonly OpenApiText[] {
  const pointers = new Map<string, string>();
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const path = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (typeof member !== 'string') visit(member, path);
      else if (proseMembers.has(name) && !pointers.has(member)) pointers.set(member, path);
    }
  };
  visit(document, '');
  return Array.from(pointers, ([text, pointer]) => ({ pointer, text }));
}
