import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { backendKinds, kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields, idList } from '../../framework/definition/fields.js';

/** Most children of one failover backend. */
const MAX_CHILDREN = 100;

const backends = idList(
  MAX_CHILDREN,
  'Ids of the child backends, in the order in which they are tried. Any kind of backend.',
);

/** Ordered lists of backends. */
export const failoverBackend = defineResource({
  ...kinds.failoverBackend,
  listKey: 'backends',
  title: { one: 'failover backend', many: 'failover backends' },
  summary: 'Sends traffic to the first child backend that is available.',
  create: z.strictObject({ ...describableInput, backends: backends.default([]) }),
  update: z.strictObject({ ...describableInput, backends: backends.optional() }),
  read: z.object({ ...commonFields, backends }),
  links: [{ field: 'backends', to: backendKinds }],
});
