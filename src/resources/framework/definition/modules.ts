import { z } from 'zod';
import type { Attributes, ModuleDefinition } from './definition.js';
import { requiredOf, withSchemaAt } from './schema-paths.js';

type Inputs<Modules extends readonly ModuleDefinition[]> = {
  [Module in Modules[number] as Module['name']]: z.ZodOptional<z.ZodNullable<Module['input']>>;
};
type Reads<Modules extends readonly ModuleDefinition[]> = {
  [Module in Modules[number] as Module['name']]: z.ZodNullable<Module['read']>;
};

/** Returns the definition of a module with its exact types. */
export function defineModule<const Name extends string, Input extends z.ZodObject, Read extends z.ZodObject>(
  definition: ModuleDefinition<Input, Read> & { readonly name: Name },
): ModuleDefinition<Input, Read> & { readonly name: Name } {
  return definition;
}

/** Returns the members of a family's create and update schemas for these modules. */
export function moduleInputs<const Modules extends readonly ModuleDefinition[]>(modules: Modules): Inputs<Modules> {
  // The compiler cannot follow entries into a mapped type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(modules.map(({ name, input }) => [name, input.nullish()])) as Inputs<Modules>;
}

/**
 * Returns the members of a family's create schema for these modules. No secret is stored then, so required secrets are
 * required.
 */
export function moduleCreateInputs<const Modules extends readonly ModuleDefinition[]>(modules: Modules) {
  const creating = modules.map((module) => ({ ...module, input: creatingInput(module) }));
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return moduleInputs(creating) as Inputs<Modules>;
}

function creatingInput({ input, secrets = [] }: ModuleDefinition): z.ZodObject {
  const required = secrets.filter((secret) => secret.required === true).map(({ path }) => path);
  const whole = required.reduce<z.ZodType>((schema, path) => withSchemaAt(schema, path, requiredOf), input);
  return whole instanceof z.ZodObject ? whole : input;
}

/** Returns the members of a family's read schema for these modules; null for an unset module. */
export function moduleReads<const Modules extends readonly ModuleDefinition[]>(modules: Modules): Reads<Modules> {
  // As above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(modules.map(({ name, read }) => [name, read.nullable()])) as Reads<Modules>;
}

/** Returns a patch without its null modules, which stay unchanged. */
export function withoutNullModules(patch: Attributes, modules: readonly ModuleDefinition[]): Attributes {
  const names = new Set(modules.map(({ name }) => name));
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => value !== null || !names.has(name)));
}
