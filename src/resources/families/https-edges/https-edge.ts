import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { hostports } from '../../building-blocks/edge-modules/hostports.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields } from '../../framework/definition/fields.js';
import { endpoint } from '../endpoints/endpoint.js';
import { httpsEdgeRoute } from '../https-edge-routes/https-edge-route.js';

const served = hostports({ wildcards: true });

/** Edges that receive HTTPS traffic. */
export const httpsEdge = defineResource({
  ...kinds.httpsEdge,
  listKey: 'https_edges',
  title: { one: 'HTTPS edge', many: 'HTTPS edges' },
  summary: 'Receives HTTPS traffic at its hostports and passes each request to the matching route.',
  create: z.strictObject({ ...describableInput, hostports: served.nullish() }),
  update: z.strictObject({ ...describableInput, hostports: served.nullish() }),
  read: z.object({ ...commonFields, hostports: served.nullable() }),
  children: () => [httpsEdgeRoute, endpoint],
});
