import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { defineResource, type ResourceKind } from '../../framework/definition/definition.js';
import { commonFields, idList } from '../../framework/definition/fields.js';
import { httpResponseBackend } from '../http-response-backends/http-response-backend.js';
import { tunnelGroupBackend } from '../tunnel-group-backends/tunnel-group-backend.js';

/** Most children of one failover backend. */
const MAX_CHILDREN = 100;

const backends = idList(
  MAX_CHILDREN,
  'Ids of the child backends, in the order in which they are tried. Any kind of backend.',
);

/** Every family of backends that an edge, a route or a failover backend may refer to. */
export const backendKinds = (): readonly ResourceKind[] => [tunnelGroupBackend, httpResponseBackend, failoverBackend];

/** Ordered lists of backends. */
export const failoverBackend = defineResource({
  name: 'failover_backend',
  prefix: 'bkdfo',
  path: '/backends/failover',
  listKey: 'backends',
  title: { one: 'failover backend', many: 'failover backends' },
  summary: 'Sends traffic to the first child backend that is available.',
  create: z.strictObject({ ...describableInput, backends: backends.default([]) }),
  update: z.strictObject({ ...describableInput, backends: backends.optional() }),
  read: z.object({ ...commonFields, backends }).meta({ id: 'FailoverBackend' }),
  links: [{ field: 'backends', to: backendKinds }],
});
