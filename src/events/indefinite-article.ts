/** "an IP policy", "an API key", "a bot user": the article goes by sound, not by letter. */
export function withIndefiniteArticle(noun: string): string {
  return `${/^(?:[aeio]|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`;
}
