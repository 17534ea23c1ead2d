import type { RegisteredRouter } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { filterOfId, idPrefix } from '../api/event-filter.js';
import type { NamedResource } from '../api/names.js';
import type { Session } from '../api/session.js';
import { preferenceChoices, setPreferences } from '../preferences/preferences.js';
import { savedViews } from '../preferences/saved-views.js';
import { readEventSearch } from './event-search.js';
import { navigation } from './navigation.js';
import {
  actionCommands,
  destinationCommands,
  familyCommands,
  namedCommands,
  resourceCommands,
  type Act,
  type Command,
} from './resource-commands.js';
import { parseSearch } from './search-params.js';

/** What commands use. */
export interface CommandContext {
  readonly router: RegisteredRouter;
  readonly session: Session;
  /** Status of each destination that is known. */
  readonly statuses: readonly EventDestinationStatus[];
  /** Resources whose names have the words of the text. */
  readonly named: readonly NamedResource[];
  readonly act: Act;
  readonly showKeys: () => void;
}

/**
 * Returns the commands of the palette, in order: what the typed id or name of a destination means, pages, saved views,
 * choices, what is beside the console, families of resources, resources with the name.
 */
export function commandsOf(
  { router, session, statuses, named, act, showKeys }: CommandContext,
  text: string,
): readonly Command[] {
  const pages = navigation.map(({ to, label, icon }): Command => ({
    id: `page ${to}`,
    label,
    icon,
    hint: 'Page',
    run: () => void router.navigate({ to }),
  }));
  const views = savedViews(session.account_id).map(({ name, search }): Command => ({
    id: `view ${name}`,
    label: name,
    icon: 'events',
    hint: 'Saved view',
    run: () => void router.navigate({ to: '/events', search: readEventSearch(parseSearch(search)) }),
  }));
  const choices = preferenceChoices.flatMap(({ title, options }) =>
    Object.entries(options).map(([label, change]): Command => ({
      id: `${title} ${label}`,
      label: `${title}: ${label}`,
      icon: 'person',
      run: () => setPreferences(change),
    })),
  );
  return [
    ...resourceCommands(text, router),
    ...namedBy(text.trim(), router),
    ...(session.access.includes('operate') ? actionCommands(text, statuses, act) : []),
    ...(idPrefix(text.trim()) === null ? destinationCommands(text, statuses, router) : []),
    ...pages,
    ...views,
    ...(session.access.includes('change') ? [createDestination(router)] : []),
    ...choices,
    { id: 'keys', label: 'Keys of this console', icon: 'next', run: showKeys },
    { id: 'docs', label: 'API documentation', icon: 'next', run: () => window.location.assign('/docs') },
    ...(session.may_view_queues
      ? [{ id: 'queues', label: 'Queues', icon: 'next', run: () => window.location.assign('/dashboard') } as const]
      : []),
    {
      id: 'sign-out',
      label: 'Sign out',
      icon: 'person',
      run: () => void router.navigate({ to: '/sign-in', state: { signsOut: true } }),
    },
    ...familyCommands(router),
    ...namedCommands(named, router),
  ];
}

/**
 * Returns the command for a text that nothing else has: it searches payloads, which have former names and those of
 * deleted resources.
 */
export function textSearch({ router }: CommandContext, typed: string): readonly Command[] {
  const text = typed.trim();
  if (text === '' || idPrefix(text) !== null) return [];
  const run = () => void router.navigate({ to: '/events', search: { text } });
  return [{ id: 'text', label: `Search the events for “${text}”`, icon: 'search', hint: 'Payloads', run }];
}

/** Returns what an id leads to: an event, or a search for the events of anything else. */
function namedBy(id: string, router: RegisteredRouter): readonly Command[] {
  const prefix = idPrefix(id);
  if (prefix === null) return [];
  if (prefix === 'evt') {
    const run = () => void router.navigate({ to: '/events/$id', params: { id } });
    return [{ id: 'open', label: `Open the event ${id}`, icon: 'events', run }];
  }
  const search = { [filterOfId(id) ?? 'object_id']: id };
  const run = () => void router.navigate({ to: '/events', search });
  return [{ id: 'events-of', label: `Events of ${id}`, icon: 'search', run }];
}

function createDestination(router: RegisteredRouter): Command {
  return {
    id: 'new-destination',
    label: 'Create a destination',
    icon: 'plus',
    hint: 'Page',
    run: () => void router.navigate({ to: '/destinations/new', search: {} }),
  };
}
