import { useRouter } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.js';
import { ProblemPanel } from '../components/problem-panel.js';

/** Properties of `ErrorPage`. */
export interface ErrorPageProps {
  /** What was thrown. */
  readonly error: unknown;
  /** Shows the page again. */
  readonly reset: () => void;
}

/** What is shown in place of a page that failed: a request that was refused, or an error of the page itself. */
export function ErrorPage({ error, reset }: ErrorPageProps) {
  const router = useRouter();
  return (
    <>
      <PageHeader title="This page failed" />
      <ProblemPanel
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </>
  );
}
