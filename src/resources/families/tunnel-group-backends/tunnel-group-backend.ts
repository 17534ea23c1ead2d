import { z } from 'zod';
import { boundedBytes, boundedMap } from '../../../bounds/bounded.js';
import { describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { commonFields, ref } from '../../framework/definition/fields.js';

/** Most labels of one group. */
const MAX_LABELS = 50;

/** Labels of a group, or of a tunnel. */
export const labels = boundedMap(boundedBytes(255), MAX_LABELS, 'labels')
  .superRefine((map, context) => {
    const names = Object.keys(map);
    if (names.length === 0) context.addIssue({ code: 'custom', message: 'must have at least one label' });
    for (const name of names) {
      if (name !== '' && Buffer.byteLength(name) <= 255) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'must be a label name of 1 to 255 bytes of UTF-8',
      });
    }
  })
  .meta({
    description: 'Labels that a tunnel must have to belong to the group, 1 to 50.',
    type: 'object',
    propertyNames: { pattern: '^[^\\x00]*$', minLength: 1, maxLength: 255 },
    additionalProperties: { type: 'string', pattern: '^[^\\x00]*$', maxLength: 255 },
    minProperties: 1,
    maxProperties: MAX_LABELS,
    example: { app: 'shop', env: 'production' },
  });

/** Groups of tunnels with the same labels. */
export const tunnelGroupBackend = defineResource({
  ...kinds.tunnelGroupBackend,
  listKey: 'backends',
  title: { one: 'tunnel-group backend', many: 'tunnel-group backends' },
  summary: 'Sends traffic to the online tunnels that have all its labels.',
  costlyList: true,
  create: z.strictObject({ ...describableInput, labels }),
  update: z.strictObject({ ...describableInput, labels: labels.optional() }),
  read: z.object({
    ...commonFields,
    labels,
    tunnels: z.array(ref).meta({
      description: 'Online tunnels that match the labels, newest first, at most 100.',
    }),
  }),
});
