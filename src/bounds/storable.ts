/** Text that Postgres cannot store: NUL and unpaired surrogates. */
const unstorable = /[\0\p{Surrogate}]/u;
const everyUnstorable = new RegExp(unstorable, 'gu');

/** Whether Postgres can store the string unchanged. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text);
}

/** The error of a string that Postgres cannot store. */
export const UNSTORABLE_DETAIL = 'must not contain NUL characters or unpaired surrogates';

/** Returns at most `most` UTF-16 code units of a text, and no half of a surrogate pair at the end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Returns text from outside (a DNS response, a vendor, the data plane) as it may be stored: at most `most` UTF-16 code
 * units, the last one `…` if it was longer, and U+FFFD for each character that Postgres cannot store.
 */
export function storable(text: string, most: number): string {
  const whole = text.length <= most;
  const kept = whole ? text : cut(text, most - 1);
  return `${kept.replaceAll(everyUnstorable, '\ufffd')}${whole ? '' : '…'}`;
}

/** Most characters of a part of the input that an error repeats: a small request must not cause a large response. */
const LONGEST_ECHO = 100;

/** Returns a part of the input as an error may repeat it: a name, an id, the message of a parser. */
export function echoed(text: string): string {
  return storable(text, LONGEST_ECHO);
}
