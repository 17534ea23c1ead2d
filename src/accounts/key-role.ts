/** What an API key may be used for, within the rights of its owner. */
export const keyRoles = ['admin', 'operator', 'auditor', 'publisher'] as const;
/** The role of an API key. */
export type KeyRole = (typeof keyRoles)[number];

/** What a key with each role may do, for the documentation. */
export const roleMeanings: Readonly<Record<KeyRole, string>> = {
  admin: 'everything that its owner may do',
  operator: 'reads, exports, tests, pauses and mutes of destinations, redeliveries and backfills; changes nothing else',
  auditor: 'reads, exports what it reads, and deletes exports of its own principal; changes nothing else',
  publisher: '`POST /events`; reads nothing of the account',
};

/** The role of a key that was created without one. */
export const DEFAULT_ROLE: KeyRole = 'admin';

/**
 * What a route does, and the roles of keys that may call it. Each route names one of these. `self`: shows who calls
 * and what runs, and lets the caller sign in. `read`: shows data, and changes nothing. `export`: writes what can be
 * read to a file. `operate`: acts on deliveries. `change`: changes resources. `publish`: publishes events.
 */
export const rolesWith = {
  self: keyRoles,
  read: ['admin', 'operator', 'auditor'],
  export: ['admin', 'operator', 'auditor'],
  operate: ['admin', 'operator'],
  change: ['admin'],
  publish: ['admin', 'publisher'],
} as const satisfies Readonly<Record<string, readonly KeyRole[]>>;
/** What a route does, which decides on the roles that may call it. */
export type RouteAccess = keyof typeof rolesWith;
/** Everything that a route may do. */
export const routeAccesses = [
  'self',
  'read',
  'export',
  'operate',
  'change',
  'publish',
] as const satisfies readonly RouteAccess[];

/** Access of further roles to a route, with some members of its body only. */
export interface PartialAccess {
  readonly access: RouteAccess;
  /** The members that such a body has: one of them at least, and no other. */
  readonly members: readonly string[];
}

/** Roles that may send some members of a body only. */
export interface RestrictedRoles {
  readonly roles: readonly KeyRole[];
  readonly members: readonly string[];
}

/** Returns the roles that may call a route, and those among them that may send some members of its body only. */
export function rolesFor(
  access: RouteAccess,
  partial: PartialAccess | undefined,
): { readonly roles: readonly KeyRole[]; readonly restricted: RestrictedRoles | null } {
  const whole: readonly KeyRole[] = rolesWith[access];
  if (partial === undefined) return { roles: whole, restricted: null };
  const restricted = rolesWith[partial.access].filter((role) => !whole.includes(role));
  const roles = keyRoles.filter((role) => whole.includes(role) || restricted.includes(role));
  return { roles, restricted: { roles: restricted, members: partial.members } };
}

/** Returns what a key with this role may do. */
export function accessesOf(role: KeyRole): readonly RouteAccess[] {
  return routeAccesses.filter((access) => {
    const roles: readonly KeyRole[] = rolesWith[access];
    return roles.includes(role);
  });
}

/** Whether a key with the role `maker` may create one with `role`: one that may do nothing that `maker` may not. */
export function mayGrant(maker: KeyRole, role: KeyRole): boolean {
  const lists: readonly (readonly KeyRole[])[] = Object.values(rolesWith);
  return lists.every((roles) => !roles.includes(role) || roles.includes(maker));
}

/** Returns a role as it is stored; null for a role that only a later release knows. */
export function toKeyRole(stored: unknown): KeyRole | null {
  return keyRoles.find((role) => role === stored) ?? null;
}
