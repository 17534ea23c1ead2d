import { restNote } from '../../app/names-note.js';
import type { FoundNames } from '../../app/use-names.js';

/**
 * Returns that nothing has a name, and what was not searched or is not suggested; null for nothing.
 * @param isNothing whether nothing is suggested
 */
export function nameNote(found: FoundNames, value: string, isNothing: boolean): string | null {
  if (value === '') return null;
  if (found.isReading) return 'Reading the names of resources.';
  const nothing =
    'No existing resource in these lists has this name. Deleted ones are found by their id or by the type of event.';
  const said = [isNothing ? nothing : null, restNote(found)].filter((text) => text !== null);
  return said.length === 0 ? null : said.join(' ');
}
