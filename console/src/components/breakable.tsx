import type { ReactNode } from 'react';

/** Returns a text that a narrow column breaks behind a mark, and not within an id or a word. */
export function breakable(text: string, mark: '_' | '/'): readonly ReactNode[] {
  return text.split(mark).flatMap((part, index) => (index === 0 ? [part] : [mark, <wbr key={index} />, part]));
}
