/**
 * A setting whose value is valid by itself and cannot be used: a port in use, a store that refuses the connection. The
 * message names the setting, what was tried and what to do, and holds no secret.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
