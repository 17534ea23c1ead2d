import type { RegisteredRouter } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { capitalized, families, familyOfId } from '../api/families.js';
import { ranked, type NamedResource } from '../api/names.js';
import { nameOrId } from '../api/resource-label.js';
import type { IconName } from '../components/icon.js';
import type { ManyAction, ManyTarget } from '../components/many/many-dialog.js';

/** Returns a command for each family of resources. */
export function familyCommands(router: RegisteredRouter): readonly Command[] {
  return families.map(({ name, many }) => ({
    id: `family ${name}`,
    label: capitalized(many),
    icon: 'resources',
    hint: 'Resources',
    run: () => void router.navigate({ to: '/resources/$family', params: { family: name } }),
  }));
}

/** Most destinations that a text leads to. */
const MOST_DESTINATIONS = 10;

/** Returns the commands that open the status pages of the destinations that a text finds: by name, then by id. */
export function destinationCommands(
  text: string,
  statuses: readonly EventDestinationStatus[],
  router: RegisteredRouter,
): readonly Command[] {
  if (text.trim() === '') return [];
  const destinations = statuses.map(({ id, description }) => ({ id, name: nameOrId(description, id) }));
  return ranked(destinations, text)
    .slice(0, MOST_DESTINATIONS)
    .map(({ id, name }) => ({
      id: `destination ${id}`,
      label: name === id ? `Destination ${id}` : name,
      words: id,
      icon: 'overview',
      hint: 'Destination',
      run: () => void router.navigate({ to: '/destinations/$id', params: { id }, search: {} }),
    }));
}

const verbs: readonly ManyAction[] = ['test', 'pause', 'resume', 'mute', 'unmute'];

/** Does something with a destination. */
export type Act = (action: ManyAction, target: ManyTarget) => void;

/** Returns the commands that act on the destinations that a text names after a verb: `pause lake`. */
export function actionCommands(
  text: string,
  statuses: readonly EventDestinationStatus[],
  act: Act,
): readonly Command[] {
  const [, verb, name = ''] = /^(\w+)\s+(.+)$/.exec(text.trim()) ?? [];
  const action = verbs.find((one) => one === verb?.toLowerCase());
  if (action === undefined) return [];
  const destinations = statuses
    .filter((status) => isPossible(action, status))
    .map((status) => ({ id: status.id, name: nameOrId(status.description, status.id), status }));
  return ranked(destinations, name)
    .slice(0, MOST_DESTINATIONS)
    .map((target) => ({
      id: `${action} ${target.id}`,
      label: `${capitalized(action)} ${target.name}`,
      words: target.id,
      icon: action === 'pause' ? 'paused' : action.endsWith('mute') ? 'muted' : 'play',
      hint: 'Action',
      run: () => act(action, target),
    }));
}

function isPossible(action: ManyAction, { status, muted }: EventDestinationStatus): boolean {
  if (action === 'mute' || action === 'unmute') return (muted === null) === (action === 'mute');
  return (status === 'paused') === (action === 'resume');
}

/** Returns the commands that open the resources with a name, but destinations. */
export function namedCommands(resources: readonly NamedResource[], router: RegisteredRouter): readonly Command[] {
  return resources
    .filter(({ family }) => family.name !== 'event_destination')
    .map(({ id, name, family }) => ({
      id: `named ${id}`,
      label: name,
      words: id,
      icon: 'resources',
      hint: capitalized(family.one),
      run: () => void router.navigate({ to: '/resources/$family/$id', params: { family: family.name, id } }),
    }));
}

/** Returns the command that opens the resource whose id was typed; none for another text. */
export function resourceCommands(text: string, router: RegisteredRouter): readonly Command[] {
  const id = text.trim();
  const family = familyOfId(id);
  if (!family) return [];
  const destination: Command = {
    id: 'open-destination',
    label: `Open the destination ${id}`,
    icon: 'overview',
    run: () => void router.navigate({ to: '/destinations/$id', params: { id }, search: {} }),
  };
  return [
    ...(family.name === 'event_destination' ? [destination] : []),
    {
      id: 'open-resource',
      label: `Open the ${family.one} ${id}`,
      icon: 'resources',
      run: () => void router.navigate({ to: '/resources/$family/$id', params: { family: family.name, id } }),
    },
  ];
}

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Other words that find it. */
  readonly words?: string;
  readonly icon: IconName;
  /** Says what kind of command it is. */
  readonly hint?: string;
  readonly run: () => void;
}
