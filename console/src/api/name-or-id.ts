/** Returns the description of a resource; its id where it has none. */
export function nameOrId(description: string | null | undefined, id: string): string {
  return description === null || description === undefined || description === '' ? id : description;
}
