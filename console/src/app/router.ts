import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { destinationRoute } from '../screens/destination/route.js';
import { eventRoute } from '../screens/event/route.js';
import { eventsRoute } from '../screens/events/route.js';
import { exportsRoute } from '../screens/exports/route.js';
import { familyRoute } from '../screens/family/route.js';
import { newDestinationRoute } from '../screens/new-destination/route.js';
import { notDeliveredRoute } from '../screens/not-delivered/route.js';
import { overviewRoute } from '../screens/overview/route.js';
import { reconcileRoute } from '../screens/reconcile/route.js';
import { resourceRoute } from '../screens/resource/route.js';
import { resourcesRoute } from '../screens/resources/route.js';
import { retentionRoute } from '../screens/retention/route.js';
import { signInRoute } from '../screens/sign-in/route.js';
import { subscriptionRoute } from '../screens/subscription/route.js';
import { ErrorPage } from './error-page.js';
import { NotFoundPage } from './not-found-page.js';
import { rootRoute } from './root-route.js';
import { parseSearch, stringifySearch } from './search-params.js';
import { signedInRoute } from './signed-in-route.js';

/** Every page. A page that needs a session is a child of `signedInRoute`. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    overviewRoute,
    newDestinationRoute,
    destinationRoute,
    subscriptionRoute,
    eventsRoute,
    eventRoute,
    notDeliveredRoute,
    exportsRoute,
    reconcileRoute,
    resourcesRoute,
    familyRoute,
    resourceRoute,
    retentionRoute,
  ]),
]);

/** Makes the router. */
export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    parseSearch,
    stringifySearch,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
