import { boundedBytes, boundedString } from '../../bounds/bounded.js';

const DESCRIPTION_TEXT = 'Free-form text for people.';
const METADATA_TEXT = 'Free-form text for programs, by convention serialized JSON.';

/** `description` and `metadata` of a stored resource, limited in bytes. Null when unset. */
export const describable = {
  description: boundedBytes(255)
    .nullable()
    .meta({ description: `${DESCRIPTION_TEXT} At most 255 bytes of UTF-8. Null when unset.` }),
  metadata: boundedBytes(4096)
    .nullable()
    .meta({ description: `${METADATA_TEXT} At most 4096 bytes of UTF-8. Null when unset.` }),
};

/** `describable` with limits in characters, for event subscriptions. */
export const describableInCharacters = {
  description: boundedString(255)
    .nullable()
    .meta({ description: `${DESCRIPTION_TEXT} At most 255 characters. Null when unset.` }),
  metadata: boundedString(4096)
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
