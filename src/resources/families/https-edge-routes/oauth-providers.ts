import { exactlyOne, unionOf } from '../../framework/one-of.js';
import { z } from 'zod';
import { bytes } from '../../../http/text.js';
import { scopes } from './scopes.js';
import { secretInput, secretShown } from './secret-field.js';

/** Identity providers that people can be sent to. */
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
type OauthProvider = (typeof oauthProviders)[number];

/** Most entries in each list of who may enter: keeps the event of a route below the size that an event may have. */
const MAX_ENTRIES = 100;

const domain = /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i;
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
    description: 'Scopes that are asked for. May be set only with client_id and client_secret.',
  }),
  email_addresses: list(
    z.string().max(254).regex(z.regexes.email, { error: 'must be an e-mail address' }),
    'Users who may enter, by e-mail address.',
  ),
  email_domains: list(
    z.string().regex(domain, { error: 'must be a domain such as example.com' }),
    'Users who may enter, by the domain of their e-mail address.',
  ),
};

/** What there is for one provider only. */
const ofGithub = {
  teams: list(
    z.string().regex(new RegExp(`^${SLUG}/${SLUG}$`), { error: 'must be of the form org-name/team-name' }),
    'Teams, as org-name/team-name: members of any of them may enter.',
  ),
  organizations: list(
    z.string().regex(new RegExp(`^${SLUG}$`), { error: 'must be the slug of an organization' }),
    'Organizations, by slug: members of any of them may enter.',
  ),
};

const clientId = bytes(255).min(1).nullable().default(null).meta({
  description: 'The OAuth app. Null: the one that the service manages is used, with its restrictions.',
});

const asked = {
  client_id: clientId,
  client_secret: secretInput.meta({
    description: 'Secret of the app, with client_id only. Left out, it stays, unless client_id changes.',
  }),
  ...allowed,
};
const shown = { client_id: clientId, client_secret: secretShown, ...allowed };

interface Member {
  readonly client_id: string | null;
  readonly client_secret: string | null;
  readonly scopes: readonly string[];
}

/** What belongs to an app of one's own needs its id; that the id needs a secret, given or stored, is the module's rule. */
function appIsWhole({ client_id, client_secret, scopes: wanted }: Member, context: z.RefinementCtx): void {
  if (client_id !== null) return;
  if (client_secret !== null)
    context.addIssue({ code: 'custom', path: ['client_id'], message: 'is required with client_secret' });
  if (wanted.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['scopes'],
      message: 'may be set only where client_id and client_secret are given',
    });
}

function ofEveryProvider<Github extends z.ZodType, Other extends z.ZodType>(github: Github, other: Other) {
  return {
    github,
    facebook: other,
    microsoft: other,
    google: other,
    linkedin: other,
    gitlab: other,
    twitch: other,
    amazon: other,
  } satisfies Record<OauthProvider, z.ZodType>;
}

/** The provider in a request: exactly one member. */
export const providerInput = z
  .strictObject(
    ofEveryProvider(
      z
        .strictObject({ ...asked, ...ofGithub })
        .superRefine(appIsWhole)
        .nullable()
        .default(null),
      z.strictObject(asked).superRefine(appIsWhole).nullable().default(null),
    ),
  )
  .superRefine(exactlyOne(oauthProviders))
  .meta({ ...unionOf(oauthProviders), description: 'Who logs people in: exactly one member is set.' });

/** The same in an answer. */
export const providerShown = z
  .object(ofEveryProvider(z.object({ ...shown, ...ofGithub }).nullable(), z.object(shown).nullable()))
  .meta({ ...unionOf(oauthProviders), description: 'Who logs people in: exactly one member is not null.' });
