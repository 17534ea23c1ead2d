/** The digits of TypeIDs, in ascending order of the characters. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Characters of an id's suffix that hold its time: the first 50 of 130 bits, of which two are always 0. */
const TIME_CHARACTERS = 10;

/**
 * Returns the bound of a time among the ids with a prefix: ids that were made before the time sort before it byte by
 * byte, and the others after it. It is the beginning of an id, not an id.
 * @throws RangeError for a time before 1970 or after 10889, which no UUIDv7 holds
 */
export function idBound(prefix: string, time: Date): string {
  let rest = time.getTime();
  if (!(rest >= 0 && rest < 2 ** 48)) throw new RangeError('The time is outside of what a UUIDv7 holds.');
  let characters = '';
  for (let digit = 0; digit < TIME_CHARACTERS; digit += 1) {
    characters = `${DIGITS.charAt(rest % 32)}${characters}`;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${characters}`;
}

/** Returns when an id was made, by the clock of the process that made it. The inverse of `idBound`. */
export function timeOfId(id: string): Date {
  const start = id.lastIndexOf('_') + 1;
  let time = 0;
  for (const character of id.slice(start, start + TIME_CHARACTERS)) time = time * 32 + DIGITS.indexOf(character);
  return new Date(time);
}
