/** Returns the value of a field `datetime-local`, in the zone of the browser, as RFC 3339; undefined for none. */
export function timeOfField(value: string): string | undefined {
  const ms = Date.parse(value);
  return value === '' || Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Returns a time as a field `datetime-local` takes it, to the minute; empty for none. @param at RFC 3339 */
export function fieldOfTime(at: string | undefined): string {
  const ms = Date.parse(at ?? '');
  if (Number.isNaN(ms)) return '';
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 16);
}
