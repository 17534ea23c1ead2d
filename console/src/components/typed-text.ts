import { useEffect, useRef, useState } from 'react';

/**
 * The text of a field that is a part of the address too. The address follows the typed text, a moment later. Any other
 * change of the address comes from elsewhere: by a button, or by going back.
 * @param value the text in the address
 * @returns the text in the field, what changes it, and the reference that the field needs
 */
export function useTypedText(value: string) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  return { input, text, setText };
}
