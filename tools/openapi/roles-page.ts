import { keyRoles, mayGrant, roleMeanings } from '../../src/accounts/key-role.js';
import type { ApiDocument } from './api-document.js';
import { markdownTable } from './markdown-table.js';

/** Makes the page about the roles of API keys: what each may do, and the roles of every operation. */
export function makeRolesPage({ paths }: ApiDocument): string {
  const roles = keyRoles.map((role) => {
    const granted = keyRoles.filter((other) => other !== role && mayGrant(role, other));
    return [`\`${role}\``, roleMeanings[role], granted.map((other) => `\`${other}\``).join(', ') || 'none'];
  });
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { 'x-roles': allowed, 'x-restricted-roles': restricted = {} }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      ...keyRoles.map((role) => (allowed === undefined ? 'no key' : permission(allowed, role, restricted[role]))),
    ]),
  );
  return `# Roles of API keys

<!-- Generated from the declarations of the routes by "npm run generate". -->

An API key has a \`role\`, which is set by \`POST /api_keys\` and never changes:

${markdownTable(['role', 'permits', 'lower roles'], roles)}

- **A role never adds to the rights of the owner.** The key of a bot user with the role \`admin\` does what the bot may do
  ([access.md](decisions/access.md)).
- **A key cannot create a key with a higher role:** one that may do what the key itself may not.
- **Every other request is a 403** with the \`error_code\` \`role_not_allowed\`. Its \`allowed_roles\` lists the roles that may call the
  operation. \`x-roles\` of the operation in \`/openapi.json\` has the same list.
- **Exports belong to the principal that requested them.** A key below \`admin\` can cancel and delete those of its own principal only.
- **A role may be permitted to send some members of a body only**, without any other: the table names them, and so does
  \`x-restricted-roles\` of the operation. A body with others is a 403 as well.
- **No role reads a secret.** The token of a key is in the response to its creation only, and credentials are null in every
  response.
- **The dashboard** of the queues opens only to admins of the first account, after a sign-in with a key of the role \`admin\`.

[access.md](decisions/access.md) has the reasons.

## Operations

${markdownTable(['operation', ...keyRoles.map((role) => `\`${role}\``)], operations)}
`;
}

/** What a role may do with an operation. @param members those that it may send, where it may send no other */
function permission(allowed: readonly string[], role: string, members: readonly string[] | undefined): string {
  if (!allowed.includes(role)) return '';
  return members ? `${members.map((name) => `\`${name}\``).join(', ')} only` : 'yes';
}
