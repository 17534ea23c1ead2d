import { MOST_NAMES } from '../api/names.js';
import type { FoundNames } from './use-names.js';

/** Returns which resources were found and are not offered, and which names were not searched; null for none. */
export function restNote({ resources, more, cut, failed }: Omit<FoundNames, 'isReading'>): string | null {
  const shown = resources.length.toLocaleString('en');
  const said = [
    ...(more > 0
      ? [`${shown} of ${(resources.length + more).toLocaleString('en')} resources are offered: type more.`]
      : []),
    ...(cut.length > 0
      ? [`Only the newest ${MOST_NAMES} names were searched of: ${cut.join(', ')}. Their ids find the others.`]
      : []),
    ...(failed.length > 0 ? [`These lists could not be read: ${failed.join(', ')}.`] : []),
  ];
  return said.length === 0 ? null : said.join(' ');
}
