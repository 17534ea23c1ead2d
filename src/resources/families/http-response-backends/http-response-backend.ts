import { z } from 'zod';
import { boundedBytes } from '../../../bounds/bounded.js';
import { describableInput } from '../../../http/input/text.js';
import { headers, inLowerCase } from '../../building-blocks/edge-modules/headers.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields } from '../../framework/definition/fields.js';

/** Half of the size limit of an event: JSON escaping can double the length of the body. */
const MAX_BODY_BYTES = 24_576;

const body = boundedBytes(MAX_BODY_BYTES)
  .nullable()
  .meta({ description: `Response body. At most ${MAX_BODY_BYTES} bytes of UTF-8. Null when unset.` });
const statusCode = z.int().min(100).max(599).meta({ description: 'Response status code.', example: 503 });
const headersInput = headers.transform(inLowerCase).nullish();

/** Fixed responses. */
export const httpResponseBackend = defineResource({
  ...kinds.httpResponseBackend,
  listKey: 'backends',
  title: { one: 'HTTP-response backend', many: 'HTTP-response backends' },
  summary: 'Returns a fixed response with the same status, headers and body to every request.',
  create: z.strictObject({
    ...describableInput,
    body: body.optional(),
    headers: headersInput,
    status_code: statusCode.default(200),
  }),
  update: z.strictObject({
    ...describableInput,
    body: body.optional(),
    headers: headersInput,
    status_code: statusCode.optional(),
  }),
  read: z.object({
    ...commonFields,
    body,
    headers: headers.nullable().meta({ description: 'Response headers. Names are in lower case.' }),
    status_code: statusCode,
  }),
});
