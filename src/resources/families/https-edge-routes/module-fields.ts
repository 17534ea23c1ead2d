import { z } from 'zod';
import { boundedBytes, boundedString } from '../../../bounds/bounded.js';

/** An unsigned 32-bit integer, from `min` to `max`. */
export function uint32({ min = 0, max = 4_294_967_295 } = {}) {
  return z.int().min(min).max(max);
}

/** Longest secret of a module, in bytes: the longest in use are keys in PEM. */
const MAX_SECRET_BYTES = 4096;

/** A secret in a request: sealed and never returned. Left out or null, the stored secret is kept. */
export const secretInput = boundedBytes(MAX_SECRET_BYTES).min(1).nullable().default(null).meta({ writeOnly: true });

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Scopes of an access token, at most 50. */
export const scopes = z
  .array(
    boundedString(255).regex(scopeToken, { error: 'must be a scope: printable ASCII without white space, " and \\' }),
  )
  .max(50)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name the same scope twice' })
  .meta({ uniqueItems: true });

/** Default prefix of the names of session cookies. */
const DEFAULT_PREFIX = 'waybill.';
/** The name of a cookie is a token: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 */
const cookieToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/;

/** Settings of every module that requires a login. */
export const sessionFields = {
  options_passthrough: z.boolean().default(false).meta({
    description: 'Allows HTTP OPTIONS requests without authentication, as CORS requires.',
  }),
  cookie_prefix: boundedString(64)
    .regex(cookieToken, { error: 'must have only characters that are allowed in a cookie name' })
    .default(DEFAULT_PREFIX)
    .meta({ description: 'Prefix of the name of the session cookie.' }),
  inactivity_timeout: uint32()
    .default(0)
    .meta({ description: 'Seconds of inactivity after which a session ends. 0: no limit.' }),
  maximum_duration: uint32().default(0).meta({ description: 'Seconds after which a session ends. 0: no limit.' }),
};
