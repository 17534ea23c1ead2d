import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.js';

interface MoreButtonProps {
  /** The list. */
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  /** `Earlier events`. */
  readonly children: string;
}

/** The button that reads the next page of a list. After the last page a sentence has its place, and its focus. */
export function MoreButton({ query, children }: MoreButtonProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [isUsed, setUsed] = useState(false);
  const end = useRef<HTMLParagraphElement>(null);
  const isEnd = isUsed && !hasNextPage;
  useEffect(() => {
    if (isEnd && document.activeElement === document.body) end.current?.focus();
  }, [isEnd]);
  if (isEnd) {
    return (
      <p ref={end} tabIndex={-1}>
        All are shown.
      </p>
    );
  }
  if (!hasNextPage) return null;
  return (
    <Button
      isBusy={isFetchingNextPage}
      onPress={() => {
        setUsed(true);
        void fetchNextPage();
      }}
    >
      {children}
    </Button>
  );
}
