import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { signOut, type Session } from '../api/session.js';
import type { IconName } from '../components/icon.js';
import { setPreferences } from '../preferences/preferences.js';
import { navigation } from './navigation.js';

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** Says what kind of command it is. */
  readonly hint?: string;
  readonly run: () => void;
}

/** What commands use. */
export interface CommandContext {
  readonly router: RegisteredRouter;
  readonly client: QueryClient;
  readonly session: Session;
}

/** Returns the commands of the palette, in order: pages, then choices, then what is beside the console. */
export function commandsOf({ router, client, session }: CommandContext): readonly Command[] {
  const pages = navigation
    .filter(({ access = 'read' }) => session.access.includes(access))
    .map(({ to, label, icon }): Command => ({
      id: `page ${to}`,
      label,
      icon,
      hint: 'Page',
      run: () => void router.navigate({ to }),
    }));
  return [
    ...pages,
    ...(session.access.includes('change') ? [createDestination(router)] : []),
    { id: 'light', label: 'Light colours', icon: 'overview', run: () => setPreferences({ theme: 'light' }) },
    { id: 'dark', label: 'Dark colours', icon: 'overview', run: () => setPreferences({ theme: 'dark' }) },
    { id: 'system', label: 'Colours as the system', icon: 'overview', run: () => setPreferences({ theme: 'system' }) },
    { id: 'local', label: 'Times in local time', icon: 'pending', run: () => setPreferences({ zone: 'local' }) },
    { id: 'utc', label: 'Times in UTC', icon: 'pending', run: () => setPreferences({ zone: 'utc' }) },
    { id: 'docs', label: 'API documentation', icon: 'next', run: () => window.location.assign('/docs') },
    ...(session.may_view_queues
      ? [{ id: 'queues', label: 'Queues', icon: 'next', run: () => window.location.assign('/dashboard') } as const]
      : []),
    { id: 'sign-out', label: 'Sign out', icon: 'person', run: () => void signOut(client) },
  ];
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
