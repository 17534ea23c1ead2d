import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../components/icon.js';

/** A page that the navigation and the palette lead to. */
export interface NavigationEntry {
  readonly to: LinkProps['to'];
  readonly label: string;
  readonly icon: IconName;
  /** Whether it is in the menu of the account, and not in the bar. */
  readonly isInMenu?: boolean;
}

/** The pages of the navigation, in order: one line for each screen. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/events', label: 'Events', icon: 'events' },
  { to: '/not-delivered', label: 'Not delivered', icon: 'notDelivered' },
  { to: '/exports', label: 'Exports', icon: 'exports' },
  { to: '/reconcile', label: 'Reconcile', icon: 'reconcile' },
  { to: '/resources', label: 'Resources', icon: 'resources' },
  { to: '/retention', label: 'Retention', icon: 'pending', isInMenu: true },
];
