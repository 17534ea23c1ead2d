import { CREATE_KEY_COMMAND } from '../secrets/key-ring.js';
import { listenersOf, type ListenerSettings } from './listeners.js';

/** Pairs of settings: the initial and the maximum backoff, in milliseconds. */
const backoffs = [
  ['DELIVERY_BACKOFF_BASE_MS', 'DELIVERY_BACKOFF_CAP_MS'],
  ['DELIVERY_MISCONFIGURED_BACKOFF_BASE_MS', 'DELIVERY_MISCONFIGURED_BACKOFF_CAP_MS'],
  ['CERTIFICATE_BACKOFF_BASE_MS', 'CERTIFICATE_BACKOFF_CAP_MS'],
] as const;

/** The settings that are compared. */
type Settings = ListenerSettings &
  Readonly<Record<(typeof backoffs)[number][number], number>> & {
    readonly LOG_LEVEL: string;
    readonly DATABASE_URL?: string | undefined;
    readonly SECRETS_KEYS?: string | undefined;
    readonly PROOF_SIGNER?: string | undefined;
    readonly PROOF_SIGNER_KEY?: string | undefined;
  };

const wildcardHosts: readonly string[] = ['0.0.0.0', '::'];

/**
 * Returns whether the API and the data-plane API would listen on the same port. A worker has no data-plane API.
 */
function portsCollide(settings: Settings): boolean {
  const [api, dataPlane] = listenersOf(settings);
  if (!api || !dataPlane || api.port === 0) return false;
  const hostsCollide =
    api.host === dataPlane.host || [api.host, dataPlane.host].some((host) => wildcardHosts.includes(host));
  return api.port === dataPlane.port && hostsCollide;
}

/** The levels at which the log has the record of who read the secrets of the configuration. */
const recordingLevels: readonly string[] = ['info', 'debug', 'trace'];

function configurationKeyErrors({ DATA_PLANE_KEY, DATA_PLANE_CONFIG_KEY, LOG_LEVEL }: Settings): readonly string[] {
  const errors: string[] = [];
  if (DATA_PLANE_KEY === DATA_PLANE_CONFIG_KEY)
    errors.push(
      'DATA_PLANE_CONFIG_KEY equals DATA_PLANE_KEY: a key for reports must not open secrets. Use another key.',
    );
  if (!recordingLevels.includes(LOG_LEVEL))
    errors.push(
      `LOG_LEVEL (${LOG_LEVEL}) hides who reads the secrets of the configuration. Set info, debug or trace with DATA_PLANE_CONFIG_KEY.`,
    );
  return errors;
}

/**
 * Returns a sentence for each contradiction between settings that are valid by themselves.
 * @param given the names of the settings that are set; the others have their defaults
 */
export function crossFieldErrors(settings: Settings, given: ReadonlySet<string>): readonly string[] {
  const value = (name: Exclude<keyof Settings, 'ROLES'>): string =>
    `${name} (${settings[name]}${given.has(name) ? '' : ', its default'})`;
  const errors = backoffs
    .filter(([base, cap]) => settings[base] > settings[cap])
    .map(
      ([base, cap]) =>
        `${value(base)} is above ${value(cap)}: the initial backoff cannot exceed the maximum. Lower the first or raise the second.`,
    );
  if (portsCollide(settings))
    errors.push(`${value('DATA_PLANE_PORT')} equals ${value('PORT')}: give the data-plane API another port.`);
  if (settings.DATA_PLANE_CONFIG_KEY !== undefined) errors.push(...configurationKeyErrors(settings));
  if ((settings.PROOF_SIGNER === undefined) !== (settings.PROOF_SIGNER_KEY === undefined))
    errors.push('PROOF_SIGNER and PROOF_SIGNER_KEY belong together: set both, or neither.');
  if (settings.DATABASE_URL !== undefined && settings.SECRETS_KEYS === undefined)
    errors.push(
      'SECRETS_KEYS is not set. It is required with DATABASE_URL. Keep the key apart from the database and its backups. ' +
        `Create a key with: ${CREATE_KEY_COMMAND}`,
    );
  return errors;
}
