import { z } from 'zod';
import { configSchema } from '../../src/config/config.js';
import { markdownTable } from './markdown-table.js';

/** The page about settings: one row for each. */
export function makeConfigurationPage(): string {
  return `# Configuration

<!-- Made from src/config/config.ts by "npm run openapi". -->

Every setting is an environment variable; an empty one counts as unset. A setting that cannot be used stops the start with a
message that names it. At boot the settings are logged, with secrets masked.

${makeConfigurationTable()}
`;
}

/** The table alone. */
export function makeConfigurationTable(): string {
  const rows = Object.entries(configSchema.shape).map(([name, schema]) => {
    const { description = '' } = schema.meta() ?? {};
    return [`\`${name}\``, initialValue(name, schema), values(schema), description];
  });
  return markdownTable(['Variable', 'Default', 'Values', 'Meaning'], rows);
}

function initialValue(name: string, schema: z.ZodType): string {
  if (name === 'INSTANCE_NAME') return 'the host name';
  const { default: initial } = jsonSchemaOf(schema);
  return initial === undefined
    ? ''
    : `\`${typeof initial === 'string' ? initial : JSON.stringify(initial)}\``;
}

/** What a value may be, in short. */
function values(schema: z.ZodType): string {
  const inWords = schema.meta()?.['values'];
  if (typeof inWords === 'string') return inWords;
  const { minimum, exclusiveMinimum, maximum, enum: choices, format, type } = jsonSchemaOf(schema);
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (typeof maximum === 'number') {
    const least = minimum ?? (exclusiveMinimum === 0 ? 'above 0' : '');
    return `${String(least)} to ${maximum}`;
  }
  if (format === 'uri') return 'URL';
  return type === 'string' ? 'text' : '';
}

function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
