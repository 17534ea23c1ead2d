import { z } from 'zod';
import { withIndefiniteArticle } from './indefinite-article.js';
import { eventActions, type EventAction, type EventTypeName } from './event-envelope.js';

/** What the catalogue needs to know of a family. */
export interface EventfulFamily {
  readonly name: string;
  readonly title: { readonly one: string };
  /** Schema of the `object` in its events. */
  readonly read: z.ZodObject;
}

/** One type of event. */
export interface EventTypeEntry {
  readonly type: EventTypeName;
  readonly resource: string;
  readonly action: EventAction;
  readonly description: string;
}

const verbs: Readonly<Record<EventAction, string>> = {
  created: 'was created',
  updated: 'was changed',
  deleted: 'was deleted',
};

/** A type of event that is no change of a resource and goes where no subscription sends it. */
export interface DirectEventType {
  readonly type: string;
  readonly description: string;
  /** Schema of the `object` in its events. */
  readonly read: z.ZodObject;
}

/** Every event type there is, derived from the families. */
export class EventCatalogue {
  private readonly entries: ReadonlyMap<string, EventTypeEntry & { readonly read: z.ZodObject }>;
  private readonly direct: ReadonlyMap<string, DirectEventType>;

  /** @param direct types that can be looked up but not subscribed to, and are therefore not listed */
  constructor(families: readonly EventfulFamily[], direct: readonly DirectEventType[] = []) {
    const entries = families.flatMap(({ name, title, read }) =>
      eventActions.map((action) => {
        const type: EventTypeName = `${name}_${action}.v0`;
        return {
          type,
          resource: name,
          action,
          description: `Sent when ${withIndefiniteArticle(title.one)} ${verbs[action]}.`,
          read,
        };
      }),
    );
    this.entries = new Map(entries.map((entry) => [entry.type, entry]));
    this.direct = new Map(direct.map((entry) => [entry.type, entry]));
  }

  /** Whether there is such an event type, and a subscription can name it. */
  has(type: string): boolean {
    return this.entries.has(type);
  }

  /** Every event type that a subscription can name, in the order of the families. */
  list(): readonly EventTypeEntry[] {
    return [...this.entries.values()];
  }

  /** One event type, or undefined. */
  find(type: string): (Pick<EventTypeEntry, 'description'> & { readonly type: string }) | undefined {
    return this.entries.get(type) ?? this.direct.get(type);
  }

  /** JSON Schema (2020-12) of the payload that is delivered, or undefined where there is no such type. */
  schemaOf(type: string): Readonly<Record<string, unknown>> | undefined {
    const entry = this.entries.get(type) ?? this.direct.get(type);
    return entry && z.toJSONSchema(payloadSchema(entry), { target: 'draft-2020-12', io: 'output' });
  }
}

const resourceId = z.string();

function payloadSchema({
  type,
  description,
  read,
  action,
}: DirectEventType & { readonly action?: EventAction }) {
  const changes = z.object({
    before: read.partial().meta({ description: 'The top-level members that changed, as they were.' }),
    after: read.partial().meta({ description: 'The same members as they are now.' }),
    omitted: z.array(z.string()).optional().meta({
      description: 'Members that changed but do not fit into the event twice; `object` has their new values.',
    }),
  });
  return z
    .object({
      event_id: resourceId.meta({
        description: 'The same on every delivery of this event: the key to recognise repeats by.',
      }),
      event_type: z.literal(type),
      event_timestamp: z.iso.datetime(),
      account_id: resourceId,
      principal: z.object({
        id: resourceId,
        subject: z.string(),
        credential: z
          .object({ id: resourceId, uri: z.string() })
          .nullable()
          .meta({ description: 'The API key; null where the service itself made the change.' }),
      }),
      object: read,
      ...(action === 'updated' ? { changes } : {}),
      request: z.object({
        operation_id: z.string(),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
      }),
      sequence: z.int().min(1).meta({
        description: 'Gapless position among the events of the destination; the same on every redelivery.',
      }),
    })
    .meta({ title: type, description });
}
