import { z } from 'zod';
import { bytes } from '../../../http/text.js';
import { botUser } from '../bot-users/bot-user.js';
import { defineResource } from '../../framework/definition.js';
import { identity, ref } from '../../framework/fields.js';
import { tunnelSessionKind } from '../../building-blocks/tunnels/kinds.js';
import { user } from '../../building-blocks/principals/user.js';

/** Connections of agents. The data plane reports them: clients can only read them. */
export const tunnelSession = defineResource({
  ...tunnelSessionKind,
  listKey: 'tunnel_sessions',
  title: { one: 'tunnel session', many: 'tunnel sessions' },
  summary: 'The connection of one agent that is online, with the tunnels that it serves.',
  operations: ['list', 'get'],
  create: z.strictObject({}),
  update: z.strictObject({}),
  read: z
    .object({
      ...identity,
      started_at: z.iso.datetime().meta({ description: 'When the agent came online, RFC 3339.' }),
      principal: ref.nullable().meta({ description: 'The user or bot that the agent runs for.' }),
      region: z.string().meta({ description: 'Region that the agent is connected to.', example: 'eu' }),
      agent_version: z.string().nullable().meta({ example: '3.9.0' }),
      ip: z.string().nullable().meta({ description: 'Address that the agent connects from.' }),
      os: z.string().nullable().meta({ description: 'Operating system of the agent.' }),
      transport: z
        .string()
        .nullable()
        .meta({ description: 'Protocol between agent and service.', example: 'tls' }),
      metadata: bytes(4096).nullable().meta({ description: 'As the agent is configured.' }),
    })
    .meta({ id: 'TunnelSession' }),
  links: [{ field: 'principal_id', as: 'principal', to: () => [user, botUser] }],
  derive: ({ createdAt }) => ({ started_at: createdAt.toISOString() }),
});
