import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Width before the element is measured, in pixels. */
const FIRST_WIDTH = 320;

/** Returns a reference for an element, and the width of that element in pixels. */
export function useWidth(): readonly [RefObject<HTMLElement | null>, number] {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => setWidth(Math.floor(current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
