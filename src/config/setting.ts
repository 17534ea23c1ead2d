import { z } from 'zod';

/** The description of a setting, for the table of settings and for error messages. */
export interface Setting {
  readonly meaning: string;
  /** The values it accepts, such as "a whole number from 1 to 500". Literal values are in backticks. */
  readonly values: string;
  /** The default; undefined without one. */
  readonly initial: string | undefined;
  /** A hint for the message about an invalid value. */
  readonly advice: string | undefined;
  /** Whether the value is never shown. */
  readonly secret: boolean;
}

/** Reads the description from a setting's schema. */
export function settingOf(schema: z.ZodType): Setting {
  const input = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { description = '', default: initial, advice, secret } = input;
  return {
    meaning: description,
    values: valuesOf(input),
    initial: initial === undefined || typeof initial === 'string' ? initial : JSON.stringify(initial),
    advice: typeof advice === 'string' ? advice : undefined,
    secret: secret === true,
  };
}

function valuesOf({ values, enum: choices, minimum, maximum, type }: z.core.JSONSchema.BaseSchema): string {
  if (typeof values === 'string') return values;
  if (Array.isArray(choices)) return oneOf(choices.map((choice) => `\`${String(choice)}\``));
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'number')
    return minimum === undefined ? `a number above 0, at most ${maximum}` : `a number from ${minimum} to ${maximum}`;
  return 'text';
}

function oneOf(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}
