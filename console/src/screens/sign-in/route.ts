import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route.js';
import { textParam } from '../../app/search-params.js';
import { screen } from './screen.js';

/** Parameters of the page. */
interface SignInSearch {
  /** The address that a person asked for: it is opened after the sign-in. */
  readonly next?: string | undefined;
  /** `true` where a session was over. */
  readonly ended?: string | undefined;
}

/** The page that begins a session. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    next: textParam(search.next),
    ended: textParam(search.ended),
  }),
}).lazy(() => Promise.resolve(screen));
