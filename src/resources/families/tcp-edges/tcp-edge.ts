import { z } from 'zod';
import { describable, describableInput } from '../../../http/text.js';
import { backendModule } from '../../building-blocks/edge-modules/backend-module.js';
import { hostports } from '../../building-blocks/edge-modules/hostports.js';
import { ipRestrictionModule } from '../../building-blocks/edge-modules/ip-restriction-module.js';
import { trafficPolicyModule } from '../../building-blocks/edge-modules/traffic-policy-module.js';
import { defineResource } from '../../framework/definition.js';
import { createdAt, identity } from '../../framework/fields.js';
import { moduleInputs, moduleReads } from '../../framework/modules.js';
import { tcpPhases } from '../../building-blocks/traffic-policy/policy-document.js';

const modules = [backendModule, ipRestrictionModule, trafficPolicyModule(tcpPhases)] as const;
const served = hostports({ wildcards: false }).nullable();

/** Edges that take TCP connections. */
export const tcpEdge = defineResource({
  name: 'tcp_edge',
  prefix: 'edgtcp',
  path: '/edges/tcp',
  listKey: 'tcp_edges',
  title: { one: 'TCP edge', many: 'TCP edges' },
  summary: 'Takes TCP connections on its hostports, holds them to its modules and sends them to its backend.',
  create: z.strictObject({ ...describableInput, hostports: served.optional(), ...moduleInputs(modules) }),
  update: z.strictObject({ ...describableInput, hostports: served.optional(), ...moduleInputs(modules) }),
  read: z
    .object({
      ...identity,
      created_at: createdAt,
      ...describable,
      hostports: served,
      ...moduleReads(modules),
      policy: z.null().meta({ description: 'Always null: `traffic_policy` is what holds the policy.' }),
    })
    .meta({ id: 'TcpEdge' }),
  modules,
});
