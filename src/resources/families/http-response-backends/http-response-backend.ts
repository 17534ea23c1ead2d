import { z } from 'zod';
import { bytes, describable, describableInput } from '../../../http/text.js';
import { headers, inLowerCase } from '../../building-blocks/edge-modules/headers.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';

/** Half of what an event has room for: a body whose JSON is up to twice as long still fits into its event. */
const MAX_BODY_BYTES = 24_576;

const body = bytes(MAX_BODY_BYTES).meta({
  description: `The body that is returned. At most ${MAX_BODY_BYTES} bytes of UTF-8.`,
});
const statusCode = z
  .int()
  .min(100)
  .max(599)
  .meta({ description: 'The status that is returned.', example: 503 });
const headersInput = headers.transform(inLowerCase).nullish();

/** Fixed answers. */
export const httpResponseBackend = defineResource({
  name: 'http_response_backend',
  prefix: 'bkdhr',
  path: '/backends/http_response',
  listKey: 'backends',
  title: { one: 'HTTP-response backend', many: 'HTTP-response backends' },
  summary: 'Answers every request with the same status, headers and body.',
  create: z.strictObject({
    ...describableInput,
    body: body.default(''),
    headers: headersInput,
    status_code: statusCode.default(200),
  }),
  update: z.strictObject({
    ...describableInput,
    body: body.optional(),
    headers: headersInput,
    status_code: statusCode.optional(),
  }),
  read: z
    .object({
      ...identity,
      created_at: createdAt,
      ...describable,
      body,
      headers: headers.nullable().meta({ description: 'Headers that are returned; names in lower case.' }),
      status_code: statusCode,
    })
    .meta({ id: 'HttpResponseBackend' }),
});
