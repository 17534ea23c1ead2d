import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter } from '@tanstack/react-router';
import { undeliveredStates, type UndeliveredFilter } from '../api/undelivered.js';
import { readSearch as readDestinationSearch } from '../screens/destination/search.js';
import { screen as overview } from '../screens/overview/screen.js';
import { readSearch as readOverviewSearch } from '../screens/overview/search.js';
import { screen as signIn } from '../screens/sign-in/screen.js';
import { ErrorPage } from './error-page.js';
import { readEventSearch } from './event-search.js';
import { NotFoundPage } from './not-found-page.js';
import { rootRoute } from './root-route.js';
import { listParam, parseSearch, stringifySearch, textParam, textParams, type SearchParams } from './search-params.js';
import { signedInRoute } from './signed-in-route.js';

const getParentRoute = () => signedInRoute;

// `next`: the address that a person asked for. `ended`: `true` where a session was over.
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: textParams('next', 'ended'),
}).lazy(() => Promise.resolve(signIn));

const overviewRoute = createRoute({ getParentRoute, path: '/', validateSearch: readOverviewSearch }).lazy(() =>
  Promise.resolve(overview),
);

const newDestinationRoute = createRoute({
  getParentRoute,
  path: '/destinations/new',
  validateSearch: readCreated,
}).lazy(() => import('../screens/new-destination/screen.js').then(({ screen }) => screen));

const destinationRoute = createRoute({
  getParentRoute,
  path: '/destinations/$id',
  validateSearch: readDestinationSearch,
}).lazy(() => import('../screens/destination/screen.js').then(({ screen }) => screen));

const subscriptionRoute = createRoute({ getParentRoute, path: '/destinations/$id/subscriptions/$subscriptionId' }).lazy(
  () => import('../screens/subscription/screen.js').then(({ screen }) => screen),
);

const eventsRoute = createRoute({ getParentRoute, path: '/events', validateSearch: readEventSearch }).lazy(() =>
  import('../screens/events/screen.js').then(({ screen }) => screen),
);

// Its parameters are the search that the events before and after it belong to.
const eventRoute = createRoute({ getParentRoute, path: '/events/$id', validateSearch: readEventSearch }).lazy(() =>
  import('../screens/event/screen.js').then(({ screen }) => screen),
);

const notDeliveredRoute = createRoute({ getParentRoute, path: '/not-delivered', validateSearch: readUndelivered }).lazy(
  () => import('../screens/not-delivered/screen.js').then(({ screen }) => screen),
);

const exportsRoute = createRoute({ getParentRoute, path: '/exports' }).lazy(() =>
  import('../screens/exports/screen.js').then(({ screen }) => screen),
);

const reconcileRoute = createRoute({
  getParentRoute,
  path: '/reconcile',
  validateSearch: textParams('destination'),
}).lazy(() => import('../screens/reconcile/screen.js').then(({ screen }) => screen));

const resourcesRoute = createRoute({ getParentRoute, path: '/resources' }).lazy(() =>
  import('../screens/resources/screen.js').then(({ screen }) => screen),
);

// `parent`: id of the resource whose parts are listed. `q`: words in the name, the id or the metadata.
const familyRoute = createRoute({
  getParentRoute,
  path: '/resources/$family',
  validateSearch: textParams('parent', 'q'),
}).lazy(() => import('../screens/family/screen.js').then(({ screen }) => screen));

// `parent`: id of the resource that it is a part of. Without it, the events of the resource say which one that is.
const resourceRoute = createRoute({
  getParentRoute,
  path: '/resources/$family/$id',
  validateSearch: textParams('parent'),
}).lazy(() => import('../screens/resource/screen.js').then(({ screen }) => screen));

const retentionRoute = createRoute({ getParentRoute, path: '/retention' }).lazy(() =>
  import('../screens/retention/screen.js').then(({ screen }) => screen),
);

const unknownRoute = createRoute({ getParentRoute, path: '$', component: NotFoundPage });

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
    unknownRoute,
  ]),
]);

/** Reads the id of the destination that was created: the page continues with it after a reload. */
function readCreated({ id }: SearchParams): { readonly id?: string | undefined } {
  const text = textParam(id);
  return { id: text !== undefined && /^ed_[0-9a-z]{26}$/.test(text) ? text : undefined };
}

function readUndelivered({ state, destination_id: id }: SearchParams): UndeliveredFilter {
  return { state: listParam(textParam(state), undeliveredStates)?.[0], destination_id: textParam(id) };
}

/** Makes the router. */
export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { client },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    parseSearch,
    stringifySearch,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
  interface HistoryState {
    /** Whether the sign-in page ends the session. It is no parameter: another site could link to it. */
    readonly signsOut?: boolean;
  }
}
