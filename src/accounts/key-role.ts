/**
 * What an API key may be used for, within the rights of its owner. `admin`: everything that the owner may do.
 * `publisher`: publishing events, and nothing else.
 */
export const keyRoles = ['admin', 'publisher'] as const;
/** The role of an API key. */
export type KeyRole = (typeof keyRoles)[number];

/** The role of a key that was created without one, and the only role of a route that declares none. */
export const DEFAULT_ROLE: KeyRole = 'admin';

/** The roles that a key of each role may give to the keys that it creates: none above its own. */
const grantable: Readonly<Record<KeyRole, readonly KeyRole[]>> = {
  admin: keyRoles,
  publisher: ['publisher'],
};

/** Whether a key with the role `maker` may create one with `role`. */
export function mayGrant(maker: KeyRole, role: KeyRole): boolean {
  return grantable[maker].includes(role);
}

/** Returns a role as it is stored; null for a role that only a later release knows. */
export function toKeyRole(stored: unknown): KeyRole | null {
  return keyRoles.find((role) => role === stored) ?? null;
}
