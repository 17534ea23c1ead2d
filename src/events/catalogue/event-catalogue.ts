import { z } from 'zod';
import { eventActions, eventKinds, type EventKind, type EventTypeName } from '../envelope/event-envelope.js';
import { withIndefiniteArticle } from './indefinite-article.js';

/** A family with events. */
export interface EventfulFamily {
  readonly name: string;
  readonly title: { readonly one: string };
  /** Schema of the `object` in its events. */
  readonly read: z.ZodObject;
}

/** One event type. */
export interface EventTypeEntry {
  readonly type: EventTypeName;
  readonly resource: string;
  readonly kind: EventKind;
  readonly description: string;
}

function describe(kind: EventKind, title: string): string {
  const one = withIndefiniteArticle(title);
  switch (kind) {
    case 'created':
      return `Sent when ${one} was created.`;
    case 'updated':
      return `Sent when ${one} was changed.`;
    case 'deleted':
      return `Sent when ${one} was deleted.`;
    case 'snapshot':
      return `Sent for each ${title} that exists when this type is added to a subscription, before its first change.`;
  }
}

/** An event type that reports no change of a resource of its family. */
export interface DirectEventType {
  readonly type: string;
  readonly description: string;
  /** Schema of the `object` in its events. */
  readonly read: z.ZodObject;
  /** Schema of `version`, where it is not that of the resource. */
  readonly version?: z.ZodType<number>;
}

/** First parts, or namespaces, of the names of events that the service itself sends. */
const systemPrefixes = ['waybill', 'event_destination', 'event_subscription', 'event_delivery', 'event_erasure'];

const systemName = new RegExp(`^(${systemPrefixes.join('|')})([_.]|$)`);

function reservedForm(names: readonly string[]): string {
  // `user_signed_in` may be an event of `user_signed`, and `user_invited` only one of `user`.
  const ofOneWord = names.filter((name) => !name.includes('_'));
  return [
    `^(${systemPrefixes.join('|')})[_.]`,
    `^(${names.join('|')})(_(${eventActions.join('|')}))?[.]v`,
    `^(${ofOneWord.join('|')})_[a-z0-9]+[.]v`,
    '_snapshot[.]v[0-9]+$',
  ].join('|');
}

/** All event types, derived from the families. */
export class EventCatalogue {
  private readonly entries: ReadonlyMap<string, EventTypeEntry & { readonly read: z.ZodObject }>;
  private readonly reports: ReadonlyMap<string, DirectEventType>;
  private readonly direct: ReadonlyMap<string, DirectEventType>;
  private readonly names: ReadonlySet<string>;
  /** What `schemaOf` has made: it takes milliseconds each. */
  private readonly schemas = new Map<string, Readonly<Record<string, unknown>>>();
  /**
   * Regular expression, for JavaScript and Postgres, of the event types that no resource type of an account can have. A
   * type with a namespace is never that of a built-in resource.
   */
  readonly reservedForm: string;

  /**
   * @param direct types that have a schema but cannot be subscribed to; they are not listed
   * @param withoutEvents names of the families without events
   * @param reports types that can be subscribed to, beside those of the families
   */
  constructor(
    families: readonly EventfulFamily[],
    direct: readonly DirectEventType[] = [],
    withoutEvents: readonly string[] = [],
    reports: readonly DirectEventType[] = [],
  ) {
    const entries = families.flatMap(({ name, title, read }) =>
      eventKinds.map((kind) => {
        const type: EventTypeName = `${name}_${kind}.v0`;
        return { type, resource: name, kind, description: describe(kind, title.one), read };
      }),
    );
    this.entries = new Map(entries.map((entry) => [entry.type, entry]));
    this.reports = new Map(reports.map((entry) => [entry.type, entry]));
    this.direct = new Map(direct.map((entry) => [entry.type, entry]));
    this.names = new Set([...families.map(({ name }) => name), ...withoutEvents]);
    this.reservedForm = reservedForm([...this.names]);
  }

  /** Whether a subscription can have this event type as a source. */
  has(type: string): boolean {
    return this.entries.has(type) || this.reports.has(type);
  }

  /** Returns the event types that a subscription can have as sources, in the order of the families. */
  list(): readonly Pick<DirectEventType, 'type' | 'description'>[] {
    return [...this.entries.values(), ...this.reports.values()];
  }

  /** Returns those of `list` that report changes, and the state, of resources. */
  ofResources(): readonly EventTypeEntry[] {
    return [...this.entries.values()];
  }

  /** Returns the other ones of `list`. */
  ofReports(): readonly DirectEventType[] {
    return [...this.reports.values()];
  }

  /** Whether a resource type of an account may not have this name: built-in resources have it, or may have it later. */
  isReservedName(name: string): boolean {
    return this.names.has(name) || systemName.test(name);
  }

  /** Whether an event of a resource type may not have this name, such as `order_created`. */
  isReservedEventName(eventName: string): boolean {
    return new RegExp(this.reservedForm).test(`${eventName}.v0`);
  }

  /** Returns one event type, or undefined. */
  find(type: string): (Pick<EventTypeEntry, 'description'> & { readonly type: string }) | undefined {
    return this.entries.get(type) ?? this.reports.get(type) ?? this.direct.get(type);
  }

  /** Returns the JSON Schema (2020-12) of the delivered payload of a published event, with this schema of `object`. */
  publishedSchema(type: string, description: string, object: unknown): Readonly<Record<string, unknown>> {
    const payload = publishedPayloadSchema({ type, description, read: z.object({}) });
    const { properties, ...schema } = jsonSchemaOf(payload, 'input');
    return { ...schema, properties: { ...properties, object } };
  }

  /** Returns every built-in event type, with those that cannot be subscribed to. */
  all(): readonly PayloadOptions[] {
    return [...this.entries.values(), ...this.reports.values(), ...this.direct.values()];
  }

  /** Returns the JSON Schema (2020-12) of the delivered payload, or undefined for an unknown type. */
  schemaOf(type: string): Readonly<Record<string, unknown>> | undefined {
    const made = this.schemas.get(type);
    if (made) return made;
    const entry = this.entries.get(type) ?? this.reports.get(type) ?? this.direct.get(type);
    if (!entry) return undefined;
    const schema = jsonSchemaOf(payloadSchema(entry), 'output');
    this.schemas.set(type, schema);
    return schema;
  }
}

/** Returns a JSON Schema that libraries of other languages can use: without the patterns of zod. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => formatOrPattern(jsonSchema),
  });
}

/** What the schema of a payload depends on. */
export type PayloadOptions = DirectEventType & { readonly kind?: EventKind };

const resourceId = z.string();

const members = z.record(z.string(), z.unknown());
const publishedChanges = z
  .object({ before: members, after: members, omitted: z.array(z.string()).optional() })
  .meta({ description: 'The changed members, where the event has them.' });

const versionOfResource = z.int().min(1).meta({
  description:
    'Version of the resource: 1 when it was created, 1 more with each change, its deletion included. Of two events of a resource, the one with the higher version is the newer.',
});

/** Returns the schema of the delivered payload of a published event: it has more members than that of a change. */
export function publishedPayloadSchema(options: PayloadOptions) {
  const base = payloadSchema(options);
  const { principal, request } = base.shape;
  return base.extend({
    principal: principal.extend({
      id: principal.shape.id.meta({
        description: 'Id of the principal at the publisher. `unknown`: the publisher named none.',
      }),
      credential: principal.shape.credential.meta({ description: 'Null: `via` names the API key.' }),
      via: z.object({ id: z.string(), uri: z.string() }).optional().meta({ description: 'The key that published it.' }),
    }),
    repaired: z
      .object({ by: z.string(), reason: z.string(), at: z.iso.datetime({ offset: true }) })
      .optional()
      .meta({
        description: 'Who changed the event after it was recorded, why and when. Absent from every other event.',
      }),
    occurred_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When the change was made, by the clock of the publisher.' }),
    changes: publishedChanges.optional(),
    request: request.extend({
      id: z.string().optional().meta({ description: 'Id of the request at the publisher.' }),
    }),
  });
}

/** Returns the schema of the changed members of an update, given that of any part of the resource. */
export function changesSchema(part: z.ZodObject) {
  return z.object({
    before: part.meta({ description: 'The changed top-level members before the update.' }),
    after: part.meta({ description: 'The same members after the update.' }),
    omitted: z.array(z.string()).optional().meta({
      description: 'Changed members whose old and new values do not fit into the event. `object` has the new values.',
    }),
  });
}

const integritySchema = z
  .object({
    log: z.string().meta({
      description: 'Origin of the log of the destination in the epoch.',
      example: 'waybill.example.com/ed_01hq3gqk1wf8kvbt9y2m4n6p7s/1',
    }),
    index: z.int().min(0).meta({ description: 'Index of the leaf of the event in that log.' }),
    salt: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .meta({ description: 'Salt of the commitment in the leaf.', example: '6f1d0c1b8e7a4f3c9a2b5d8e0f1a2b3c' }),
  })
  .meta({
    id: 'EventIntegrity',
    description: 'Where a log proves the event. Absent only where an event was erased.',
  });

/** Returns the schema of the delivered payload of an event type. */
export function payloadSchema({ type, description, read, kind, version = versionOfResource }: PayloadOptions) {
  return z
    .object({
      event_id: resourceId.meta({
        description: 'Id of the event, the same on every delivery. Use it to detect duplicates.',
      }),
      event_type: z.literal(type),
      event_timestamp: z.iso.datetime(),
      account_id: resourceId,
      resource_id: resourceId.meta({
        description: 'The resource that changed. Of a published event: its id at the publisher, as it was given.',
      }),
      principal: z.object({
        id: resourceId,
        subject: z.string(),
        credential: z
          .object({ id: resourceId, uri: z.string() })
          .nullable()
          .meta({ description: 'The API key. Null when the service itself made the change.' }),
      }),
      version,
      object: read,
      ...(kind === 'updated' ? { changes: changesSchema(read.partial()) } : {}),
      request: z.object({
        operation_id: z.string(),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
      }),
      epoch: z.int().min(1).meta({
        description:
          'Epoch of the number. It increases when the database was restored or failed over. Order is (epoch, sequence).',
      }),
      sequence: z.int().min(1).meta({
        description: 'Gapless number of the event at its destination, the same on every redelivery.',
      }),
      integrity: integritySchema.optional(),
      backfill: z.literal(true).optional().meta({
        description:
          'The event was sent by a backfill: newer events of its resource may have arrived before. Absent from every other event.',
      }),
    })
    .meta({ title: type, description });
}

/**
 * Leaves a time its format, and a UUID its pattern. Generated clients parse texts of these formats, and cannot match a
 * pattern with what they parsed.
 */
export function formatOrPattern(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.format === 'uuid') delete schema.format;
}
