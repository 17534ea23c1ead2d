import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { describable } from '../../../http/input/text.js';

/** The first members of every representation. */
export const identity = {
  id: z
    .string()
    .meta({ description: 'Identifier: type prefix, underscore, 26 characters that sort by creation time.' }),
  uri: z.string().meta({ description: 'Address of this resource.' }),
};

/** When a resource was created, RFC 3339. */
export const createdAt = z.iso.datetime().meta({ description: 'When the resource was created, RFC 3339.' });

/** The first members of most representations. */
export const commonFields = { ...identity, created_at: createdAt, ...describable };

/**
 * Returns the schema of a member of responses that is always null. It is a nullable text for clients: many generators
 * have no type for a member that can only be null.
 * @param why the reason, as a sentence
 */
export function alwaysNull(why: string) {
  return z
    .string()
    .nullable()
    .meta({ description: `Always null. ${why}`, examples: [null] });
}

/** A secret in a response. */
export const secretResponse = alwaysNull('Secrets are never returned.');

/** A reference to another resource in a response. */
export const ref = z
  .object({ id: z.string(), uri: z.string() })
  .meta({ id: 'Ref', description: 'A reference to another resource.' });

/** Returns the schema of a list of distinct ids. */
export function idList(most: number, description: string) {
  return z
    .array(boundedString(255))
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not contain the same id twice' })
    .meta({ description, uniqueItems: true });
}
