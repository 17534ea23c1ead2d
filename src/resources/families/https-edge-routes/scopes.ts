import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';

/** https://www.rfc-editor.org/rfc/rfc6749#section-3.3 */
const token = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Scopes of an access token, at most 50. */
export const scopes = z
  .array(boundedString(255).regex(token, { error: 'must be a scope: printable ASCII without white space, " and \\' }))
  .max(50)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name the same scope twice' })
  .meta({ uniqueItems: true });
