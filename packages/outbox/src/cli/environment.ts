/** Settings that the commands read from the environment. */
export interface Environment {
  /** Connection string of the database with the outbox. */
  readonly DATABASE_URL?: string;
  /** Address of Waybill. */
  readonly WAYBILL_URL?: string;
  /** API key of Waybill. */
  readonly WAYBILL_API_KEY?: string;
}

/** A setting is missing or not valid. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Returns a setting. @throws SettingError if it is not set */
export function setting(name: keyof Environment, environment: Environment = process.env): string {
  const value = environment[name];
  if (value) return value;
  throw new SettingError(`Set ${name}: ${meanings[name]}.`);
}

const meanings: Readonly<Record<keyof Environment, string>> = {
  DATABASE_URL: 'the connection string of the database with the outbox',
  WAYBILL_URL: 'the address of Waybill, such as https://waybill.example.com',
  WAYBILL_API_KEY: 'an API key of Waybill; the role "publisher" is enough',
};
