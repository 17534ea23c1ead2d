import { headerNames, headers } from '../../building-blocks/edge-modules/headers.js';
import { defineModule } from '../../framework/definition/modules.js';

function fieldsFor(message: string) {
  return {
    add: headers.default({}).meta({
      description: `Map of header name to value, added to ${message}. At most 50. No control characters.`,
      example: { 'x-served-by': 'waybill' },
    }),
    remove: headerNames.default([]).meta({
      description: `Names of headers removed from ${message}. At most 50.`,
      example: ['x-powered-by'],
    }),
  };
}

/** Headers added to and removed from requests. */
export const requestHeadersModule = defineModule({
  name: 'request_headers',
  title: 'request headers',
  description: 'Adds and removes headers of requests sent upstream.',
  input: fieldsFor('the request sent upstream'),
});

/** Headers added to and removed from responses. */
export const responseHeadersModule = defineModule({
  name: 'response_headers',
  title: 'response headers',
  description: 'Adds and removes headers of responses returned to the client.',
  input: fieldsFor('the response returned to the client'),
});
