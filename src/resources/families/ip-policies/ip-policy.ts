import { z } from 'zod';
import { describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields } from '../../framework/definition/fields.js';

/** Named sets of IP policy rules. */
export const ipPolicy = defineResource({
  ...kinds.ipPolicy,
  title: { one: 'IP policy', many: 'IP policies' },
  summary: 'Sets of rules that allow or deny source addresses. Edges and routes refer to IP policies.',
  create: z.strictObject(describableInput),
  update: z.strictObject(describableInput),
  read: z.object(commonFields),
});
