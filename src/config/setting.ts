import { z } from 'zod';

/** What there is to say of a setting: to readers of the table of settings, and to whoever gave it a wrong value. */
export interface Setting {
  readonly meaning: string;
  /** What it takes, such as "a whole number from 1 to 500"; what is written literally stands in backticks. */
  readonly values: string;
  /** What it is when it is not set; undefined where that is nothing. */
  readonly initial: string | undefined;
  /** Helps whoever gave something else. */
  readonly advice: string | undefined;
  /** Whether what it is set to is never shown. */
  readonly secret: boolean;
}

/** Reads what a setting's schema says. */
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
    return minimum === undefined
      ? `a number above 0, at most ${maximum}`
      : `a number from ${minimum} to ${maximum}`;
  return 'text';
}

function oneOf(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}
