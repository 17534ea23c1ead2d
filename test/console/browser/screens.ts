import type { ConsoleSite } from './console-site.js';
import { pathOfExports, pathOfNotDelivered, pathOfSubscription, pathOfUpdate } from './screen-paths.js';

/** A screen of the console, for screenshots and for the check of its accessibility. */
export interface Screen {
  /** Name of its screenshots. */
  readonly name: string;
  /** Path below `/console`; a function where it has ids. */
  readonly path: string | ((site: ConsoleSite) => string | Promise<string>);
  /** A text that the complete screen has. */
  readonly ready: string;
  /** Whether it is shown without a session. */
  readonly signedOut?: boolean;
}

/** Every screen. A new screen adds a line. */
export const screens: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', ready: 'API key', signedOut: true },
  { name: 'overview', path: '/', ready: 'Misconfigured' },
  { name: 'destination', path: (site) => pathOfDestination(site, 'payment team'), ready: 'Zoom in' },
  {
    name: 'destination-deliveries',
    path: (site) => pathOfDestination(site, 'payment team', '?tab=deliveries'),
    ready: 'ip_policy_created.v0',
  },
  {
    name: 'destination-settings',
    path: (site) => pathOfDestination(site, 'payment team', '?tab=settings'),
    ready: 'Events that it',
  },
  { name: 'new-destination', path: '/destinations/new', ready: 'Find event types' },
  { name: 'subscription', path: pathOfSubscription, ready: 'Find event types' },
  { name: 'events', path: '/events', ready: 'all that match' },
  { name: 'event', path: pathOfUpdate, ready: 'Waits for its first attempt' },
  { name: 'not-delivered', path: pathOfNotDelivered, ready: 'all that match' },
  { name: 'exports', path: pathOfExports, ready: 'Completed' },
  { name: 'reconcile', path: '/reconcile', ready: 'Drop the file from the target here' },
  { name: 'resources', path: '/resources', ready: 'in use' },
  { name: 'family', path: '/resources/ip_policy', ready: 'newest first' },
  { name: 'resource', path: pathOfResource, ready: 'Referred to by' },
  { name: 'retention', path: '/retention', ready: 'Complete since' },
  { name: 'no-such-page', path: '/nowhere', ready: 'The console has no page at this address' },
];

/** Returns the path of a screen below `/console`. */
export async function pathOf({ path }: Screen, site: ConsoleSite): Promise<string> {
  return typeof path === 'string' ? path : path(site);
}

/** Returns the path of the destination whose description has a text. */
async function pathOfDestination({ events }: ConsoleSite, text: string, search = ''): Promise<string> {
  const { body } = await events.api.admin.get('/event_destinations');
  const all = body.event_destinations as readonly { readonly id: string; readonly description: string | null }[];
  const id = all.find(({ description }) => description?.includes(text))?.id ?? '';
  return `/destinations/${id}${search}`;
}

/** Returns the path of the resource that is the destination of the security team. */
async function pathOfResource(site: ConsoleSite): Promise<string> {
  const path = await pathOfDestination(site, 'Security lake');
  return path.replace('/destinations/', '/resources/event_destination/');
}
