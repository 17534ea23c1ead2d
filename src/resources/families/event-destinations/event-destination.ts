import { z } from 'zod';
import { recordedMute, recordedPause } from '../../../delivery/lanes/recorded-pause.js';
import { describableInput } from '../../../http/input/text.js';
import { DEFAULT_RECORD_MODE } from '../../../targets/aws/records-option.js';
import { targetOf } from '../../../targets/registry.js';
import { targetKinds, type TargetKind } from '../../../targets/target.js';
import { kinds } from '../../building-blocks/kinds.js';
import { defineResource, pascalCase, type Attributes } from '../../framework/definition/definition.js';
import { commonFields, secretResponse } from '../../framework/definition/fields.js';
import { exactlyOne } from '../../framework/definition/one-of.js';
import { requiredOf, withSchemaAt } from '../../framework/definition/schema-paths.js';
import { muteInput, muteUpdate } from './destination-mute.js';
import { pauseInput, pauseUpdate } from './destination-pause.js';

/** The document has one spelling: some generators make names of constants from the values, in upper case. */
const format = z
  .enum(['json', 'JSON'])
  .transform(() => 'json' as const)
  .meta({ enum: ['json'], description: 'Serialization of the events. `json` is the only format.' });

/** Maps every kind of target with `of`, in the order of the interface. */
function byKind<T>(of: (kind: TargetKind) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(targetKinds.map((kind) => [kind, of(kind)]));
}

/** The kind of target that is configured. */
export function kindOfTarget(target: Readonly<Record<string, unknown>>): TargetKind | undefined {
  return targetKinds.find((kind) => target[kind] != null);
}

/** A target in a request. `of` gives the schema of each member. */
function targetInput(id: string, of: (kind: TargetKind) => z.ZodType, description: string) {
  return z
    .strictObject(byKind((kind) => of(kind).nullable().default(null)))
    .superRefine(exactlyOne(targetKinds))
    .meta({
      id,
      description,
      examples: [{ monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu' } }],
    });
}

/** The configuration of a target with another schema for each of its secrets. */
function withSecrets(config: z.ZodType, kind: TargetKind, change: (field: z.ZodType) => z.ZodType): z.ZodType {
  return targetOf(kind).secretFields.reduce((schema, field) => withSchemaAt(schema, field, change), config);
}

/**
 * The configuration of a target in an update. A field that is left out keeps its value: a default instead could send
 * the events to another target. Checks that relate fields need the kept ones: `withTarget` runs them.
 */
function asUpdate(config: z.ZodType): z.ZodType {
  if (!(config instanceof z.ZodObject)) return config;
  const fields = Object.entries(config.shape).map(([name, field]) => {
    const inner = field instanceof z.ZodDefault ? field.unwrap() : field;
    return [name, z.optional(inner).meta({ ...z.globalRegistry.get(field) })];
  });
  return z.strictObject(Object.fromEntries(fields)).meta({ ...config.meta() });
}

/** Names of types in the OpenAPI document, by the path in the configuration of a target. */
const typeNames = (kind: TargetKind) => ({
  'auth.creds': 'CloudCredentials',
  auth: 'CloudAuth',
  '': `${pascalCase(kind)}Target`,
});

/**
 * Returns a function that gives the configuration of a target, and its credentials, names in the OpenAPI document. A
 * name belongs to one schema: the kinds of target share that of their credentials.
 */
function naming(prefix: 'Create' | 'Update' | '') {
  const known = new Map<string, z.ZodType>();
  const give = (id: string, schema: z.ZodType): z.ZodType => {
    const named = known.get(id) ?? schema.meta({ ...schema.meta(), id });
    known.set(id, named);
    return named;
  };
  return (config: z.ZodType, kind: TargetKind): z.ZodType =>
    Object.entries(typeNames(kind)).reduce(
      (schema, [path, name]) =>
        withSchemaAt(schema, path, (field) => withSchemaAt(field, '', (object) => give(`${prefix}${name}`, object))),
      config,
    );
}
const [ofCreate, ofUpdate, ofResponse] = [naming('Create'), naming('Update'), naming('')];

const target = targetInput(
  'CreateEventDestinationTarget',
  (kind) =>
    ofCreate(
      withSecrets(targetOf(kind).config, kind, (field) => requiredOf(field).meta({ writeOnly: true })),
      kind,
    ),
  'Target of the events: exactly one member is set. The configuration can be changed, but not the kind of target.',
);
const changedTarget = targetInput(
  'UpdateEventDestinationTarget',
  (kind) =>
    ofUpdate(asUpdate(withSecrets(targetOf(kind).config, kind, (field) => field.meta({ writeOnly: true }))), kind),
  'Target of the events. Fields that are left out keep their values, and so do secrets that are null. `auth` is replaced as a whole. The kind of target cannot be changed.',
);

/** A destination whose target has all its fields. */
export const withWholeTarget = z.object({
  target: z.object(byKind((kind) => targetOf(kind).config.nullish())),
});

const targetResponse = z
  .object(
    byKind((kind) =>
      ofResponse(
        withSecrets(targetOf(kind).config, kind, () => secretResponse),
        kind,
      ).nullable(),
    ),
  )
  .meta({
    id: 'EventDestinationTarget',
    description: 'Target of the events: exactly one member is not null. Secrets are always null.',
    examples: [
      byKind((kind) =>
        kind === 'monitoring'
          ? { api_key: null, tags: 'env:production', service: 'audit', site: 'datadoghq.eu' }
          : null,
      ),
    ],
  });

/** A stored target, with the default of an option that is younger than the destination. */
function withRecordModes(stored: unknown): unknown {
  const members = storedTarget.parse(stored);
  const modes = packableKinds.flatMap((kind) => {
    const member = members[kind] ?? null;
    return member === null ? [] : [[kind, { ...member, records: member['records'] ?? DEFAULT_RECORD_MODE }] as const];
  });
  return { ...members, ...Object.fromEntries(modes) };
}

const packableKinds = ['delivery_stream', 'data_stream'] as const;

const storedTarget = z.record(z.string(), z.record(z.string(), z.unknown()).nullable());

/** The kind and configuration of the target of a stored destination. */
export function targetIn(attributes: Attributes): { readonly kind: TargetKind; readonly member: Attributes } {
  const stored = storedTarget.parse(attributes.target);
  const kind = kindOfTarget(stored);
  if (!kind) throw new Error('A stored event destination has no target.');
  return { kind, member: stored[kind] ?? {} };
}

/** Targets that events are delivered to, with their configuration. */
export const eventDestination = defineResource({
  ...kinds.eventDestination,
  title: { one: 'event destination', many: 'event destinations' },
  summary:
    'One target that events are delivered to, in order. A destination receives no events until a subscription refers to it.',
  create: z.strictObject({
    ...describableInput,
    format: format.default('json'),
    target,
    paused: pauseInput
      .nullable()
      .default(null)
      .meta({ description: 'Creates the destination paused: its events wait in order. Null: it is not paused.' }),
    muted: muteInput
      .nullable()
      .default(null)
      .meta({ description: 'Creates the destination muted: its failures need nobody. Null: it is not muted.' }),
  }),
  update: z.strictObject({
    ...describableInput,
    format: format.optional(),
    target: changedTarget.optional(),
    paused: pauseUpdate.nullable().optional().meta({
      description:
        'Pauses the destination: its events wait in order and do not expire. Null ends the pause. A destination that is paused cannot be paused again. The present pause can be sent back as it was read, which changes nothing.',
    }),
    muted: muteUpdate.nullable().optional().meta({
      description:
        'Mutes the destination until a time: events are delivered as before, and status, metrics and console say that its failures need nobody. It takes the place of the present mute. Null ends the mute.',
    }),
  }),
  operable: ['paused', 'muted'],
  derive: ({ attributes }) => ({ target: withRecordModes(attributes.target) }),
  read: z.object({
    ...commonFields,
    format: z.literal('json'),
    target: targetResponse,
    paused: recordedPause.nullable().meta({ description: 'The pause; null while the destination is not paused.' }),
    muted: recordedMute.nullable().meta({
      description: 'The last mute, also after its end: see `until`. Null without one.',
    }),
  }),
  secrets: targetKinds.flatMap((kind) =>
    targetOf(kind).secretFields.map((field) => ({ path: `target.${kind}.${field}`, required: true })),
  ),
});
