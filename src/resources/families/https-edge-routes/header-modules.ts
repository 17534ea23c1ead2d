import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { headerNames, headers } from '../../building-blocks/edge-modules/headers.js';
import { defineModule } from '../../framework/modules.js';

function fieldsFor(message: string) {
  return {
    enabled,
    add: headers.default({}).meta({
      description: `Headers that are added to ${message}, name to value. At most 50; no control characters.`,
      example: { 'x-served-by': 'waybill' },
    }),
    remove: headerNames.default([]).meta({
      description: `Names of headers that are removed from ${message}. At most 50.`,
      example: ['x-powered-by'],
    }),
  };
}

const request = fieldsFor('the request that is sent upstream');
const response = fieldsFor('the response that is returned to the client');

/** Headers added to and removed from what goes upstream. */
export const requestHeadersModule = defineModule({
  name: 'request_headers',
  title: 'request headers',
  input: z.strictObject(request),
  read: z.object(request).meta({
    id: 'RequestHeadersModule',
    description: 'Changes the headers of requests on their way upstream.',
  }),
});

/** Headers added to and removed from what goes to the client. */
export const responseHeadersModule = defineModule({
  name: 'response_headers',
  title: 'response headers',
  input: z.strictObject(response),
  read: z.object(response).meta({
    id: 'ResponseHeadersModule',
    description: 'Changes the headers of responses on their way to the client.',
  }),
});
