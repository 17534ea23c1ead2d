import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../config/config.js';
import { RetentionMarks, type RetainedKind } from '../database/retention-marks.js';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request-context.js';

const retained = z
  .object({
    kept_days: z.number().meta({
      description:
        'Days for which each item is kept at least: events and attempts since they were recorded, deliveries since they finished. What waits is kept until it has finished.',
      example: 90,
    }),
    complete_since: z.iso.datetime().nullable().meta({
      description:
        'The account has every item that was recorded since this time. Earlier ones were removed. Null: nothing of the account was removed.',
    }),
  })
  .meta({ id: 'Retained', description: 'How long items of one kind are kept.' });

/** Days for which each kind is kept at least. Whatever is removed after a time has a line here. */
const keptDays: Readonly<Record<RetainedKind, (config: Config) => number>> = {
  events: (config) => config.RETENTION_EVENTS_DAYS,
  deliveries: (config) => Math.max(config.RETENTION_DELIVERED_DAYS, config.RETENTION_UNDELIVERED_DAYS),
  attempts: (config) => Math.min(config.RETENTION_DELIVERED_DAYS, config.RETENTION_UNDELIVERED_DAYS),
};

const retention = z
  .object({ events: retained, deliveries: retained, attempts: retained, uri: z.string() })
  .meta({ id: 'Retention', description: 'What is kept for how long, and since when it is complete.' });

type Retention = z.infer<typeof retention>;

/** How long the data of the account are kept. */
@Controller('/retention')
export class RetentionController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
  ) {}

  @Get()
  @Operation({
    id: 'getRetention',
    access: 'read',
    summary: 'Get what is kept until when',
    description: 'Lists that miss removed items say so with `complete_since`.',
    tag: 'retention',
    tagDescription: 'How long events, deliveries and attempts are kept.',
    response: retention,
  })
  async get(@Context() { accountId, baseUrl }: RequestContext): Promise<Retention> {
    const marks = await this.marks.of(accountId);
    const of = (kind: RetainedKind): z.infer<typeof retained> => ({
      kept_days: keptDays[kind](this.config),
      complete_since: marks.get(kind)?.toISOString() ?? null,
    });
    return {
      events: of('events'),
      deliveries: of('deliveries'),
      attempts: of('attempts'),
      uri: `${baseUrl}/retention`,
    };
  }
}
