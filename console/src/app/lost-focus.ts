import { useEffect, type RefObject } from 'react';

/** What Tab can reach. */
const STOPS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** Keeps the focus near the element that had it, when an action removes it: on a stop of Tab, or else on the page. */
export function useLostFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // The elements around the one that had the focus last, and around the last one of the page: a dialog closes.
    let last: readonly Element[] = [];
    let lastOfPage: readonly Element[] = [];
    let frame = 0;
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? around(target) : [];
      if (target instanceof Node && page.current?.contains(target)) lastOfPage = last;
    };
    // A click beside what has the focus takes it away on purpose, unless it gives the focus to another element.
    const onPointer = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node && last[0]?.contains(target))) last = [];
    };
    const restore = (): void => {
      if (document.activeElement !== document.body) return;
      const all = [...last, ...lastOfPage].filter((one) => one.isConnected && one !== document.body);
      const next = all.flatMap((one) => [...one.querySelectorAll<HTMLElement>(STOPS)]).find(isStop);
      (next ?? page.current)?.focus({ preventScroll: next === undefined });
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || last[0]?.isConnected !== false) return;
      cancelAnimationFrame(frame);
      // A dialog that closes returns the focus in the next frame.
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(restore)));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointer, true);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointer, true);
    };
  }, [page]);
}

/** Returns an element and those around it, from the inside, up to the page or to all of the document. */
function around(element: Element): readonly Element[] {
  const parent = element.parentElement;
  return element.id === 'main' || parent === null ? [] : [element, ...around(parent)];
}

function isStop(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && element.checkVisibility();
}
