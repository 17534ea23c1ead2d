import { MOST_NAMES } from '../../api/names.js';
import type { FoundNames } from '../../app/use-names.js';

/**
 * Returns that nothing has a name, and which names were not searched; null for nothing.
 * @param isNothing whether nothing is suggested
 */
export function nameNote({ isReading, incomplete }: FoundNames, value: string, isNothing: boolean): string | null {
  if (value === '') return null;
  if (isReading) return 'Reading the names of resources.';
  const nothing =
    'No existing resource in these lists has this name. Deleted ones are found by their id or by the type of event.';
  const rest = `Only the newest ${MOST_NAMES} names were searched of: ${incomplete.join(', ')}. Their ids find the others.`;
  const said = [...(isNothing ? [nothing] : []), ...(incomplete.length > 0 ? [rest] : [])];
  return said.length === 0 ? null : said.join(' ');
}
