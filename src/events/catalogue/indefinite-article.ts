/** Returns a noun with its article, by sound: "an IP policy", "an API key", "a bot user". */
export function withIndefiniteArticle(noun: string): string {
  return `${/^(?:[aeio]|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`;
}
