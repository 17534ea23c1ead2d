import { z } from 'zod';
import { pascalCase, type Attributes, type ModuleDefinition } from './definition.js';
import { requiredOf, withSchemaAt } from './schema-paths.js';

/** A module as it is declared: the members of its body, and those of its response where they are others. */
interface DeclaredModule extends Omit<ModuleDefinition, 'input' | 'read'> {
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly read?: z.ZodRawShape;
}

/** The first member of every module. */
const enabled = z.boolean().default(true).meta({ description: 'Whether the module is applied to traffic.' });

/** Returns the definition of a module. In the OpenAPI document, `read` is named after the module. */
export function defineModule({ description, input, read = input, ...others }: DeclaredModule): ModuleDefinition {
  return {
    ...others,
    input: z.strictObject({ enabled, ...input }),
    read: z.object({ enabled, ...read }).meta({ id: `${pascalCase(others.name)}Module`, description }),
  };
}

/** Returns the members of a family's create and update schemas for these modules. */
export function moduleInputs(modules: readonly ModuleDefinition[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(modules.map(({ name, input }) => [name, input.nullish()]));
}

/**
 * Returns the members of a family's create schema for these modules. No secret is stored then, so required secrets are
 * required.
 */
export function moduleCreateInputs(modules: readonly ModuleDefinition[]): Readonly<Record<string, z.ZodType>> {
  return moduleInputs(modules.map((module) => ({ ...module, input: creatingInput(module) })));
}

function creatingInput({ input, secrets = [] }: ModuleDefinition): z.ZodObject {
  const required = secrets.filter((secret) => secret.required === true).map(({ path }) => path);
  const whole = required.reduce<z.ZodType>((schema, path) => withSchemaAt(schema, path, requiredOf), input);
  return whole instanceof z.ZodObject ? whole : input;
}

/** Returns the members of a family's read schema for these modules; null for an unset module. */
export function moduleReads(modules: readonly ModuleDefinition[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(modules.map(({ name, read }) => [name, read.nullable()]));
}

/** Returns a patch without its null modules, which stay unchanged. */
export function withoutNullModules(patch: Attributes, modules: readonly ModuleDefinition[]): Attributes {
  const names = new Set(modules.map(({ name }) => name));
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => value !== null || !names.has(name)));
}
