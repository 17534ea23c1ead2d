import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { ErrorPage, type ErrorPageProps } from './error-page.js';
import styles from './page.module.css';

/** What every route can use. */
export interface RouterContext {
  readonly client: QueryClient;
}

/** The root of all pages. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: ErrorPageAlone,
});

/** Without the frame of the signed-in pages, the page itself has the landmark. */
function ErrorPageAlone(props: ErrorPageProps) {
  return (
    <main className={styles.alone}>
      <ErrorPage {...props} />
    </main>
  );
}
