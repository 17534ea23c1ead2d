import { z } from 'zod';
import { boundedBytes } from '../../../bounds/bounded.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { identity, ref } from '../../framework/definition/fields.js';

/** Connections of agents. The data plane reports them: clients can only read them. */
export const tunnelSession = defineResource({
  ...kinds.tunnelSession,
  title: { one: 'tunnel session', many: 'tunnel sessions' },
  summary: 'The connection of one online agent, with the tunnels that the agent serves.',
  operations: ['list', 'get'],
  read: z.object({
    ...identity,
    started_at: z.iso.datetime().meta({ description: 'When the agent came online, RFC 3339.' }),
    principal: ref.nullable().meta({ description: 'User or bot that the agent runs for.' }),
    region: z.string().meta({ description: 'Region that the agent is connected to.', example: 'eu' }),
    agent_version: z.string().nullable().meta({ example: '3.9.0' }),
    ip: z.string().nullable().meta({ description: 'IP address of the agent.' }),
    os: z.string().nullable().meta({ description: 'Operating system of the agent.' }),
    transport: z
      .string()
      .nullable()
      .meta({ description: 'Protocol between the agent and the service.', example: 'tls' }),
    metadata: boundedBytes(4096)
      .nullable()
      .meta({ description: 'User-supplied metadata from the agent configuration.' }),
  }),
  links: [{ field: 'principal_id', as: 'principal', to: [kinds.user, kinds.botUser] }],
  derive: ({ created_at }) => ({ started_at: created_at.toISOString() }),
});
