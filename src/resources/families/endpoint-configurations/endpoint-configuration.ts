import { z } from 'zod';
import { describable, describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

const type = z
  .enum(['http', 'https', 'tcp', 'tls'])
  .meta({ description: 'Kind of traffic that the configuration applies to. Cannot be changed.' });

/** Settings of traffic that reserved addresses refer to. */
export const endpointConfiguration = defineResource({
  ...kinds.endpointConfiguration,
  title: { one: 'endpoint configuration', many: 'endpoint configurations' },
  summary: 'A named configuration for one kind of traffic. Reserved addresses refer to endpoint configurations.',
  create: z.strictObject({ ...describableInput, type }),
  update: z.strictObject(describableInput),
  read: z.object({ ...identity, created_at: createdAt, type, ...describable }),
});
