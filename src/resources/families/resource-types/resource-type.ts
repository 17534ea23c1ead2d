import { z } from 'zod';
import { boundedJson, boundedString } from '../../../bounds/bounded.js';
import {
  ACTION_FORM,
  HIGHEST_VERSION,
  LONGEST_ACTION,
  LONGEST_TYPE_NAME,
  TYPE_NAME_FORM,
} from '../../../events/resource-types/event-type-name.js';
import { describable, describableInput } from '../../../http/input/text.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource } from '../../framework/definition/definition.js';
import { createdAt, identity } from '../../framework/definition/fields.js';

/** Most actions of a type. */
const MOST_ACTIONS = 20;
/** Most pointers in `redact`. */
const MOST_POINTERS = 50;
/** Largest schema, in bytes of JSON: the type with its old and new schema mostly fits into an event. */
const MOST_SCHEMA_BYTES = 16_384;
/** Most nested objects and lists of a schema. */
const DEEPEST_SCHEMA = 24;
/** Most resource types of an account: GET /event_types lists all of them. */
const QUOTA = 200;

const SNAKE_CASE = 'must be in snake case: lowercase letters a to z, digits and single underscores';

const name = boundedString(LONGEST_TYPE_NAME)
  .regex(new RegExp(TYPE_NAME_FORM), { error: `${SNAKE_CASE}. A namespace with a dot may come before it` })
  .meta({
    description:
      'Name of the resource in the singular and in snake case: the first part of its event types. The name of a built-in resource is refused without a namespace before it: `shop.user`. It never changes.',
    example: 'order',
  });
const title = boundedString(100)
  .min(1)
  .meta({ description: 'Singular title for people. Default: the name with spaces.', example: 'order' });
const actions = z
  .array(boundedString(LONGEST_ACTION).regex(new RegExp(ACTION_FORM), { error: SNAKE_CASE }))
  .max(MOST_ACTIONS)
  .min(1)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name the same action twice' })
  .meta({
    description:
      'What happens to such a resource. Each action is an event type `<name>_<action>.v<version>`. `snapshot` is reserved.',
    uniqueItems: true,
    example: ['created', 'updated', 'deleted', 'refunded'],
  });
const version = z.int().min(0).max(HIGHEST_VERSION).meta({
  description:
    'Version in the event types. Within a version only compatible changes are possible. The event types of older versions remain.',
});
const schema = boundedJson(MOST_SCHEMA_BYTES, DEEPEST_SCHEMA)
  .nullable()
  .meta({
    description: `JSON Schema (2020-12) of the resource as an event carries it. At most ${MOST_SCHEMA_BYTES} bytes and ${DEEPEST_SCHEMA} levels. Null: any object.`,
    example: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
  });
const redact = z
  .array(boundedString(256))
  .max(MOST_POINTERS)
  .refine((list) => new Set(list).size === list.length, { error: 'must not contain the same pointer twice' })
  .meta({
    description:
      'JSON pointers into the object. Their values are null in everything that is stored. `*` stands for every item of a list or every member of an object.',
    uniqueItems: true,
    example: ['/card/number', '/lines/*/note'],
  });
const changes = z.enum(['given', 'computed']).meta({
  description:
    'Changed members of an update. `given`: the publisher sends them. `computed`: Waybill compares the object with the last one, where the publisher sends none.',
});

/** The kinds of resources that the account publishes events of. */
export const resourceType = defineResource({
  ...kinds.resourceType,
  title: { one: 'resource type', many: 'resource types' },
  summary:
    'A kind of resource of your own API. Its event types `<name>_<action>.v<version>` are listed beside the built-in ones, and subscriptions can have them as sources.',
  create: z.strictObject({
    name,
    title: title.optional(),
    ...describableInput,
    actions: actions.default(['created', 'updated', 'deleted']),
    version: version.default(0),
    schema: schema.default(null),
    redact: redact.default([]),
    changes: changes.default('given'),
  }),
  update: z.strictObject({
    title: title.optional(),
    ...describableInput,
    actions: actions.optional(),
    version: version.optional(),
    schema: schema.optional(),
    redact: redact.optional(),
    changes: changes.optional(),
  }),
  read: z.object({
    ...identity,
    created_at: createdAt,
    name,
    title,
    ...describable,
    actions,
    version,
    schema,
    redact,
    changes,
  }),
  unique: [
    {
      index: 'resource_types_by_name',
      detail: ({ name: taken }) => `The account already has a resource type with the name ${String(taken)}.`,
    },
  ],
  quota: QUOTA,
});

const stored = z.object({ name, actions, version, schema, redact, changes });

/** The part of the attributes that its events depend on. */
export type TypeAttributes = z.output<typeof stored>;

/** Returns the part of stored attributes that the events of the type depend on. */
export function typeAttributesOf(attributes: Readonly<Record<string, unknown>>): TypeAttributes {
  return stored.parse(attributes);
}
