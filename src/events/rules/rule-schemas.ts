import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { LONGEST_FILTER } from './filters/filter-language.js';

/** Most pointers of one list. */
const MOST_POINTERS = 50;
/** Longest pointer, in characters. */
const LONGEST_POINTER = 500;

/** The filter of a source. */
export const sourceFilter = boundedString(LONGEST_FILTER).min(1, 'must not be empty').meta({
  description:
    'A condition in CEL over the payload of an event. Only events that match are sent. An event for which it cannot be evaluated matches.',
  example: 'object.id != ""',
});

function pointers(description: string) {
  return z
    .array(boundedString(LONGEST_POINTER))
    .max(MOST_POINTERS)
    .min(1, 'must have a pointer')
    .optional()
    .meta({ description });
}

/** The members of a payload that a source sends. */
export const eventFields = z
  .strictObject({
    include: pointers(
      'Only these members are sent, and `event_id`, `event_type`, `event_timestamp`, `account_id`, `version`, `epoch` and `sequence`.',
    ),
    exclude: pointers('These members are not sent.'),
    hash: pointers('These values are replaced by their hashes with the salt of the subscription.'),
  })
  .refine((fields) => Object.values(fields).some((list) => list !== undefined), {
    error: 'must have include, exclude or hash',
  })
  .meta({
    id: 'EventFields',
    description:
      'What is sent of an event, as JSON pointers into its payload, such as `/object/description`. `*` stands for every item or member, and cannot be the first part. A pointer into `/object` applies to its old and new values in `/changes` too.',
    example: { hash: ['/principal/subject'] },
  });
