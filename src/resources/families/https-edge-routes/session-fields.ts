import { z } from 'zod';
import { uint32 } from './uint32.js';

/** What the names of session cookies begin with unless the client says otherwise. */
const DEFAULT_PREFIX = 'waybill.';
/** The name of a cookie is a token: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/;

/** Settings of every module that logs people in. */
export const sessionFields = {
  options_passthrough: z.boolean().default(false).meta({
    description: 'Lets HTTP OPTIONS requests through without authentication, as CORS needs.',
  }),
  cookie_prefix: z
    .string()
    .max(64)
    .regex(token, { error: 'must hold only characters that the name of a cookie may have' })
    .default(DEFAULT_PREFIX)
    .meta({ description: 'What the name of the session cookie begins with.' }),
  inactivity_timeout: uint32()
    .default(0)
    .meta({ description: 'Seconds of inactivity after which a session ends. 0: it does not end so.' }),
  maximum_duration: uint32()
    .default(0)
    .meta({ description: 'Seconds after which a session ends. 0: it does not end so.' }),
};
