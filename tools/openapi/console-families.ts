import { families, familiesWithoutEvents } from '../../src/resources/families.js';
import { familyOperations, type ResourceDefinition } from '../../src/resources/framework/definition/definition.js';

const withEvents: readonly ResourceDefinition[] = families.map(({ definition }) => definition);
const withoutEvents: readonly ResourceDefinition[] = familiesWithoutEvents.map(({ definition }) => definition);

/** Makes the list of the families of the console, in the order of their titles. */
export function makeConsoleFamilies(): string {
  const all = [...withEvents, ...withoutEvents].toSorted((one, other) =>
    one.title.many.localeCompare(other.title.many, 'en', { sensitivity: 'base' }),
  );
  return `// Generated from the definitions of the families by "npm run generate".

/** Every family of resources, by title. \`Family\` in families.ts describes the members. */
export const generatedFamilies = ${JSON.stringify(all.map(describe), null, 2)} as const;
`;
}

function describe(definition: ResourceDefinition) {
  const {
    name,
    prefix,
    path,
    listKey,
    title,
    summary,
    operations = familyOperations,
    parent,
    read,
    links = [],
  } = definition;
  const members = Object.keys(read.shape);
  return {
    name,
    prefix,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    listKey,
    one: title.one,
    many: title.many,
    summary,
    isListed: operations.includes('list'),
    isCreated: operations.includes('create'),
    hasHistory: withEvents.includes(definition),
    parent: parent ? { parameter: parent.parameter, family: parent.kind.name } : null,
    refersTo: [...new Set(links.flatMap(({ to }) => to.map((kind) => kind.name)))],
    modules: (definition.modules ?? []).map((module) => module.name),
    // A token is in the response to its creation only.
    secrets: [...(definition.secrets ?? []).map((secret) => secret.path), ...members.filter((one) => one === 'token')],
  };
}
