import { z } from 'zod';

const settingsSchema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4800),
});

/** Settings of the API. */
export type Settings = z.infer<typeof settingsSchema>;

/**
 * Reads the settings from the environment.
 * @throws Error that names every invalid variable
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>> = process.env): Settings {
  return parseEnvironment(settingsSchema, environment);
}

/**
 * Parses environment variables. An empty value counts as unset.
 * @throws Error that names every invalid variable
 */
export function parseEnvironment<T>(
  schema: z.ZodType<T>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): T {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Invalid settings. ${problems.join('; ')}.`);
}
