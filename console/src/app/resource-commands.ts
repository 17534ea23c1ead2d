import type { RegisteredRouter } from '@tanstack/react-router';
import { capitalized, families, familyOfId } from '../api/families.js';
import type { Command } from './command.js';

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

/** Returns the command that opens the resource whose id was typed; none for another text. */
export function resourceCommands(text: string, router: RegisteredRouter): readonly Command[] {
  const id = text.trim();
  const family = familyOfId(id);
  if (!family) return [];
  return [
    {
      id: 'open-resource',
      label: `Open the ${family.one} ${id}`,
      icon: 'resources',
      run: () => void router.navigate({ to: '/resources/$family/$id', params: { family: family.name, id } }),
    },
  ];
}
