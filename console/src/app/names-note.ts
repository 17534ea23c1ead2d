import { MOST_NAMES } from '../api/names.js';
import type { FoundNames } from './use-names.js';

/** Returns which resources were found and are not offered, and which names were not searched; null for none. */
export function restNote({ resources, more, incomplete }: Omit<FoundNames, 'isReading'>): string | null {
  const shown = resources.length.toLocaleString('en');
  const said = [
    ...(more > 0
      ? [`${shown} of ${(resources.length + more).toLocaleString('en')} resources are offered: type more.`]
      : []),
    ...(incomplete.length > 0
      ? [`Only the newest ${MOST_NAMES} names were searched of: ${incomplete.join(', ')}. Their ids find the others.`]
      : []),
  ];
  return said.length === 0 ? null : said.join(' ');
}
