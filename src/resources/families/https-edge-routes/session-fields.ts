import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { uint32 } from './uint32.js';

/** Default prefix of the names of session cookies. */
const DEFAULT_PREFIX = 'waybill.';
/** The name of a cookie is a token: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/;

/** Settings of every module that requires a login. */
export const sessionFields = {
  options_passthrough: z.boolean().default(false).meta({
    description: 'Allows HTTP OPTIONS requests without authentication, as CORS requires.',
  }),
  cookie_prefix: boundedString(64)
    .regex(token, { error: 'must have only characters that are allowed in a cookie name' })
    .default(DEFAULT_PREFIX)
    .meta({ description: 'Prefix of the name of the session cookie.' }),
  inactivity_timeout: uint32()
    .default(0)
    .meta({ description: 'Seconds of inactivity after which a session ends. 0: no limit.' }),
  maximum_duration: uint32().default(0).meta({ description: 'Seconds after which a session ends. 0: no limit.' }),
};
