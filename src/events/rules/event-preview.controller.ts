import { randomBytes } from 'node:crypto';
import { Body, Controller, Inject, Post } from '@nestjs/common';
import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { DATABASE, type Database } from '../../database/database.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { invalidInput } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import type { EventEnvelope } from '../envelope/event-envelope.js';
import type { JsonObject } from '../envelope/json-object.js';
import type { StoredEvent } from '../envelope/stored-event.js';
import { EventSearchStore } from '../log/event-search-store.js';
import { LONGEST_EVENT_TYPE } from '../resource-types/event-type-name.js';
import type { SourceRule } from './event-rule.js';
import { compileFilter } from './filters/filter.js';
import { filterBudget } from './judged-event.js';
import { PayloadSchemas } from './payload-schemas.js';
import { Projector } from './projection.js';
import { ruleErrors } from './rule-errors.js';
import { eventFields, sourceFilter } from './rule-schemas.js';

/** Most events that one preview reads. */
const MOST_EVENTS = 100;

const previewBody = z.strictObject({
  type: boundedString(LONGEST_EVENT_TYPE).meta({
    description: 'The event type of the source.',
    example: 'ip_policy_created.v0',
  }),
  filter: sourceFilter.nullish(),
  fields: eventFields.nullish(),
  limit: z.int().min(1).max(MOST_EVENTS).default(20).meta({
    description: 'How many of the newest events of the type are read.',
  }),
});

const previewedEvent = z.object({
  id: z.string(),
  uri: z.string(),
  created_at: z.iso.datetime(),
  matches: z.boolean().meta({ description: 'Whether the source would send the event.' }),
  error: z.string().nullable().meta({
    description: 'Why the filter could not be evaluated for the event, which matches then. Null otherwise.',
  }),
  payload: z.looseObject({}).nullable().meta({
    description: 'What would be sent, without `epoch` and `sequence`. Null where the event does not match.',
  }),
});

const previewResponse = z
  .object({
    type: z.string(),
    evaluated: z.int().min(0).meta({
      description:
        'Number of the events below. Fewer than `limit` where there are no more, or where they cost too much.',
    }),
    matched: z.int().min(0).meta({ description: 'How many of them match.' }),
    failed: z.int().min(0).meta({ description: 'How many of them match because of an error.' }),
    events: z.array(previewedEvent).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'EventPreview', description: 'What a source would send of the newest events of its type.' });

type PreviewRequest = z.infer<typeof previewBody>;
type PreviewResponse = z.infer<typeof previewResponse>;

/** Previews of sources. */
@Controller('/event_subscriptions/preview')
export class EventPreviewController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(PayloadSchemas) private readonly schemas: PayloadSchemas,
  ) {}

  @Post()
  @Operation({
    id: 'previewEventSource',
    access: 'read',
    summary: 'Preview a source of an event subscription',
    description:
      'Runs a source over the newest events of its type, and shows which of them match and what would be sent. Nothing is stored or sent, so an `Idempotency-Key` has no effect. Before the account has hashes, each preview shows other ones.',
    tag: 'event sources',
    response: previewResponse,
    costly: 'always',
  })
  async run(
    @Context() { accountId, baseUrl }: RequestContext,
    @Body({ schema: previewBody }) request: PreviewRequest,
  ): Promise<PreviewResponse> {
    const { type, limit } = request;
    const stretch = new Stretch();
    const schema = await this.schemas.of(accountId, type);
    if (!schema) {
      const detail = `${JSON.stringify(type)} is not an event type: GET /event_types lists the event types`;
      throw invalidInput([{ pointer: '/type', detail }]);
    }
    await stretch.pause();
    const rule: SourceRule = { filter: request.filter ?? null, fields: request.fields ?? null };
    const errors = ruleErrors(rule, schema);
    if (errors.length > 0) throw invalidInput(errors);
    const store = new EventSearchStore(this.db);
    const { events } = await store.page(accountId, { type: [type] }, { order: 'newest_first' }, limit);
    const kept = events.filter(({ erasureId }) => erasureId === null);
    const previewed = await previewOf(kept, rule, baseUrl, stretch);
    return {
      type,
      evaluated: previewed.length,
      matched: previewed.filter(({ matches }) => matches).length,
      failed: previewed.filter(({ error }) => error !== null).length,
      events: previewed,
    };
  }
}

/** Evaluates one event after the other, and serves other requests in between. */
async function previewOf(
  events: readonly StoredEvent[],
  { filter: expression, fields }: SourceRule,
  baseUrl: string,
  stretch: Stretch,
): Promise<PreviewResponse['events']> {
  const filter = expression === null ? null : compileFilter(expression);
  // The salt of a subscription is for what it sends.
  const projector = new Projector(randomBytes(32));
  const rules = [{ subscriptionId: 'preview', fields }];
  const budget = filterBudget();
  const previewed: PreviewResponse['events'] = [];
  for (const { id, createdAt, payload } of events) {
    await stretch.pause();
    const event: EventEnvelope & JsonObject = JSON.parse(payload);
    budget.left -= filter?.steps(event) ?? 0;
    if (budget.left < 0) break;
    const { matches, error } = filter?.evaluate(event) ?? { matches: true, error: null };
    const sent: JsonObject = fields ? projector.projected(event, rules) : event;
    previewed.push({
      id,
      uri: `${baseUrl}/events/${id}`,
      created_at: createdAt.toISOString(),
      matches,
      error,
      payload: matches ? sent : null,
    });
  }
  return previewed;
}
