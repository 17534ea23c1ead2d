/** Shorter names are too close to variables of other programs (`PORT` and `SORT`). */
const SHORTEST_NAME = 5;
/** In names from this length on, two typing errors count as a misspelling; in shorter ones, one. */
const LONG_NAME = 16;

/** Variables of other programs that are as close to a setting as a misspelling. */
const foreignNames: ReadonlySet<string> = new Set([
  // https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
  'OTEL_BLRP_SCHEDULE_DELAY',
]);

/** A variable that is no setting, and the setting that it resembles. */
export interface Misspelling {
  readonly given: string;
  readonly meant: string;
}

/**
 * Returns the variables whose names are settings with a typing error: another case, or a letter that is missing,
 * added, different or swapped with the next. A variable with a value counts only while the setting that it resembles is
 * absent: who sets both, also to nothing, knows both names.
 */
export function misspeltSettings(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly Misspelling[] {
  const known = new Set(settings);
  const candidates = settings.filter((name) => name.length >= SHORTEST_NAME && environment[name] === undefined);
  return Object.entries(environment).flatMap(([given, value]) => {
    if (value === undefined || value.trim() === '' || known.has(given) || foreignNames.has(given)) return [];
    const upper = given.toUpperCase();
    const near = candidates
      .map((name) => ({ name, errors: typingErrors(upper, name) }))
      .filter(({ name, errors }) => errors <= (name.length < LONG_NAME ? 1 : 2))
      .toSorted((a, b) => a.errors - b.errors);
    return near[0] ? [{ given, meant: near[0].name }] : [];
  });
}

/** Returns the sentence about a misspelling. */
export function misspellingError({ given, meant }: Misspelling): string {
  return `${given} is not a setting: did you mean ${meant}? If another program reads it, set ${meant} too, or set it to nothing (${meant}=).`;
}

/**
 * Returns the number of typing errors between two names: the optimal string alignment distance
 * (https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance). Infinity when their lengths differ by more than
 * two.
 */
function typingErrors(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let twoBack: readonly number[] = [];
  let back: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const differs = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [(back[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (back[j - 1] ?? 0) + differs];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) steps.push((twoBack[j - 2] ?? 0) + 1);
      row.push(Math.min(...steps));
    }
    [twoBack, back] = [back, row];
  }
  return back[b.length] ?? Infinity;
}
