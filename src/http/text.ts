import { z } from 'zod';

/** Returns the schema of a string of at most `max` bytes of UTF-8. */
export function bytes(max: number) {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text) <= max, {
      error: `must not be longer than ${max} bytes of UTF-8`,
    })
    .meta({ maxLength: max, description: `At most ${max} bytes of UTF-8.` });
}

/** Returns the schema of a string of at most `max` Unicode code points, as JSON Schema's maxLength counts. */
export function characters(max: number) {
  return z
    .string()
    .refine((text) => text.length <= max || codePoints(text) <= max, {
      error: `must not be longer than ${max} characters`,
    })
    .meta({ maxLength: max, description: `At most ${max} characters.` });
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const DESCRIPTION_TEXT = 'Free-form text for people.';
const METADATA_TEXT = 'Free-form text for programs, by convention serialized JSON.';

/** `description` and `metadata` of a stored resource, limited in bytes. Null when unset. */
export const describable = {
  description: bytes(255)
    .nullable()
    .meta({ description: `${DESCRIPTION_TEXT} At most 255 bytes of UTF-8. Null when unset.` }),
  metadata: bytes(4096)
    .nullable()
    .meta({ description: `${METADATA_TEXT} At most 4096 bytes of UTF-8. Null when unset.` }),
};

/** `describable` with limits in characters, for event subscriptions. */
export const describableInCharacters = {
  description: characters(255)
    .nullable()
    .meta({ description: `${DESCRIPTION_TEXT} At most 255 characters. Null when unset.` }),
  metadata: characters(4096)
    .nullable()
    .meta({ description: `${METADATA_TEXT} At most 4096 characters. Null when unset.` }),
};

/**
 * `describable` in a request. Create: absent or null means unset. Update: absent is unchanged, null clears.
 */
export const describableInput = {
  description: describable.description.optional(),
  metadata: describable.metadata.optional(),
};

/** `describableInCharacters` in a request. */
export const describableInputInCharacters = {
  description: describableInCharacters.description.optional(),
  metadata: describableInCharacters.metadata.optional(),
};
