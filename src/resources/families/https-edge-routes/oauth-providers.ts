import { z } from 'zod';
import { boundedBytes, boundedString } from '../../../bounds/bounded.js';
import { LABEL } from '../../building-blocks/names/name-patterns.js';
import { secretResponse } from '../../framework/definition/fields.js';
import { exactlyOne } from '../../framework/definition/one-of.js';
import { scopes, secretInput } from './module-fields.js';

/** Supported identity providers. */
export const oauthProviders = [
  'github',
  'facebook',
  'microsoft',
  'google',
  'linkedin',
  'gitlab',
  'twitch',
  'amazon',
] as const;

/** Most entries in each list of allowed users: keeps the event of a route below the size limit. */
const MAX_ENTRIES = 100;

const domain = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`);
const SLUG = '[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?';

function list(entry: z.ZodString, description: string) {
  return z
    .array(entry)
    .max(MAX_ENTRIES)
    .default([])
    .meta({ description: `${description} At most 100.` });
}

const allowed = {
  scopes: scopes.default([]).meta({
    description: 'Requested scopes. Allowed only with client_id and client_secret.',
  }),
  email_addresses: list(
    boundedString(254).regex(z.regexes.email, { error: 'must be an e-mail address' }),
    'E-mail addresses of the allowed users.',
  ),
  email_domains: list(
    boundedString(253).regex(domain, { error: 'must be a domain such as example.com' }),
    'E-mail domains of the allowed users.',
  ),
};

/** Fields of the github member only. */
const ofGithub = {
  teams: list(
    boundedString(201).regex(new RegExp(`^${SLUG}/${SLUG}$`), { error: 'must be of the form org-name/team-name' }),
    'Allowed teams, as org-name/team-name. Members of any listed team are allowed.',
  ),
  organizations: list(
    boundedString(100).regex(new RegExp(`^${SLUG}$`), { error: 'must be the slug of an organization' }),
    'Slugs of the allowed organizations. Members of any listed organization are allowed.',
  ),
};

const clientId = boundedBytes(255).min(1).nullable().default(null).meta({
  description: 'Client id of the OAuth app. Null: the managed app of the service is used, with restrictions.',
});

const requestFields = {
  client_id: clientId,
  client_secret: secretInput.meta({
    description: 'Client secret of the OAuth app. Requires client_id. Left out: unchanged, unless client_id changes.',
  }),
  ...allowed,
};
const responseFields = { client_id: clientId, client_secret: secretResponse, ...allowed };

interface Member {
  readonly client_id: string | null;
  readonly client_secret: string | null;
  readonly scopes: readonly string[];
}

/**
 * Requires client_id for the fields of an own app. The module's rules for secrets require the client_secret.
 */
function requireClientId({ client_id, client_secret, scopes: wanted }: Member, context: z.RefinementCtx): void {
  if (client_id !== null) return;
  if (client_secret !== null)
    context.addIssue({ code: 'custom', path: ['client_id'], message: 'is required with client_secret' });
  if (wanted.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['scopes'],
      message: 'is allowed only with client_id and client_secret',
    });
}

function ofEveryProvider<T>(github: T, other: T): Readonly<Record<string, T>> {
  return Object.fromEntries(oauthProviders.map((name) => [name, name === 'github' ? github : other]));
}

/** The provider in a request: exactly one member. */
export const providerInput = z
  .strictObject(
    ofEveryProvider(
      z
        .strictObject({ ...requestFields, ...ofGithub })
        .superRefine(requireClientId)
        .meta({ id: 'OauthGithubApp' })
        .nullable()
        .default(null),
      z.strictObject(requestFields).superRefine(requireClientId).meta({ id: 'OauthApp' }).nullable().default(null),
    ),
  )
  .superRefine(exactlyOne(oauthProviders))
  .meta({ id: 'OauthProvider', description: 'Identity provider: exactly one member is set.' });

/** The provider in a response. */
export const providerResponse = z
  .object(
    ofEveryProvider(
      z
        .object({ ...responseFields, ...ofGithub })
        .meta({ id: 'OauthGithubApp' })
        .nullable(),
      z.object(responseFields).meta({ id: 'OauthApp' }).nullable(),
    ),
  )
  .meta({
    id: 'OauthProvider',
    description: 'Identity provider: exactly one member is not null.',
    examples: [
      {
        ...ofEveryProvider(null, null),
        google: {
          client_id: null,
          client_secret: null,
          scopes: [],
          email_addresses: [],
          email_domains: ['example.com'],
        },
      },
    ],
  });
