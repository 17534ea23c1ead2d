import { z } from 'zod';

/** What every representation starts with. Families add their own members behind it. */
export const identity = {
  id: z
    .string()
    .meta({ description: 'Identifier: type prefix, underscore, 26 characters that sort by time.' }),
  uri: z.string().meta({ description: 'Address of this resource.' }),
};

/** When a resource was created, RFC 3339. */
export const createdAt = z.iso.datetime().meta({ description: 'When it was created, RFC 3339.' });

/** A reference to another resource, as it is shown. */
export const ref = z
  .object({ id: z.string(), uri: z.string() })
  .meta({ id: 'Ref', description: 'A reference to another resource.' });

/** A list of ids in a request, without repetition. */
export function idList(most: number, description: string) {
  return z
    .array(z.string().max(255))
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not name the same id twice' })
    .meta({ description });
}
