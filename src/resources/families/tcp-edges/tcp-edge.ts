import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { backendModule } from '../../building-blocks/edge-modules/backend-module.js';
import { hostports } from '../../building-blocks/edge-modules/hostports.js';
import { ipRestrictionModule } from '../../building-blocks/edge-modules/ip-restriction-module.js';
import { trafficPolicyModule } from '../../building-blocks/edge-modules/traffic-policy-module.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { alwaysNull, commonFields } from '../../framework/definition/fields.js';
import { moduleCreateInputs, moduleInputs, moduleReads } from '../../framework/definition/modules.js';
import { endpoint } from '../endpoints/endpoint.js';

const modules = [backendModule, ipRestrictionModule, trafficPolicyModule('TCP')];
const served = hostports({ wildcards: false }).nullable();

/** Edges that accept TCP connections. */
export const tcpEdge = defineResource({
  ...kinds.tcpEdge,
  listKey: 'tcp_edges',
  title: { one: 'TCP edge', many: 'TCP edges' },
  summary: 'Accepts TCP connections at its hostports, applies its modules and forwards the connections to its backend.',
  create: z.strictObject({ ...describableInput, hostports: served.optional(), ...moduleCreateInputs(modules) }),
  update: z.strictObject({ ...describableInput, hostports: served.optional(), ...moduleInputs(modules) }),
  read: z.object({
    ...commonFields,
    hostports: served,
    ...moduleReads(modules),
    policy: alwaysNull('The policy is in `traffic_policy`.'),
  }),
  children: () => [endpoint],
  modules,
});
