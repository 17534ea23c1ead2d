import { CREATE_KEY_COMMAND } from '../secrets/key-ring.js';

/** Settings of which the first is where a backoff begins and the second where it ends, in milliseconds. */
const backoffs = [
  ['DELIVERY_BACKOFF_BASE_MS', 'DELIVERY_BACKOFF_CAP_MS'],
  ['DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS', 'DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS'],
  ['CERTIFICATE_BACKOFF_BASE_MS', 'CERTIFICATE_BACKOFF_CAP_MS'],
] as const;

/** What must fit together. */
type Settings = Readonly<Record<(typeof backoffs)[number][number] | 'PORT' | 'DATA_PLANE_PORT', number>> & {
  readonly ROLES: readonly string[];
  readonly HOST: string;
  readonly DATA_PLANE_HOST: string;
  readonly DATA_PLANE_KEY?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly SECRETS_KEYS?: string | undefined;
};

const everyHost: readonly string[] = ['0.0.0.0', '::'];

/** Whether the API and the internal interface would listen at the same place. A worker opens no internal interface. */
function portsMeet({
  ROLES,
  HOST,
  PORT,
  DATA_PLANE_KEY,
  DATA_PLANE_HOST,
  DATA_PLANE_PORT,
}: Settings): boolean {
  if (DATA_PLANE_KEY === undefined || !ROLES.includes('api')) return false;
  const hostsMeet =
    HOST === DATA_PLANE_HOST || [HOST, DATA_PLANE_HOST].some((host) => everyHost.includes(host));
  return PORT !== 0 && PORT === DATA_PLANE_PORT && hostsMeet;
}

/**
 * Settings that are right each by itself and cannot be used together: a sentence for each.
 * @param given names of those that are set; the others are as they are by default
 */
export function crossFieldErrors(settings: Settings, given: ReadonlySet<string>): readonly string[] {
  const value = (name: Exclude<keyof Settings, 'ROLES'>): string =>
    `${name} (${settings[name]}${given.has(name) ? '' : ', its default'})`;
  const found = backoffs
    .filter(([base, cap]) => settings[base] > settings[cap])
    .map(
      ([base, cap]) =>
        `${value(base)} is above ${value(cap)}: the first wait cannot be longer than the longest. Lower the one or raise the other.`,
    );
  if (portsMeet(settings))
    found.push(
      `${value('DATA_PLANE_PORT')} is ${value('PORT')}: the internal interface needs one of its own.`,
    );
  if (settings.DATABASE_URL !== undefined && settings.SECRETS_KEYS === undefined)
    found.push(
      'SECRETS_KEYS is not set. With DATABASE_URL the key that seals secrets is yours to make and to keep, apart from the ' +
        `database and its backups. Make one with: ${CREATE_KEY_COMMAND}`,
    );
  return found;
}
