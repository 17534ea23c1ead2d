import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../../config/config.js';
import { RetentionMarks, type RetainedKind } from '../../database/partitions/retention-marks.js';
import { METRICS_DAYS, metricsKeptSince } from '../../delivery/rollups/rollup-store.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';

const retained = z
  .object({
    kept_days: z.number().meta({
      description:
        'Days for which each item is kept at least: events and attempts since they were recorded, deliveries since they finished, the files of exports since they were complete, metrics since what they count. What waits is kept until it has finished.',
      example: 90,
    }),
    complete_since: z.iso.datetime().nullable().meta({
      description:
        'The account has every item that was recorded since this time; of exports: every file that was complete since then, unless it was deleted. Earlier ones were removed. Null: nothing of the account was removed.',
    }),
  })
  .meta({ id: 'Retained', description: 'How long items of one kind are kept.' });

/** Days for which each kind is kept at least. Whatever is removed after a time has a line here. */
const keptDays: Readonly<Record<RetainedKind, (config: Config) => number>> = {
  events: (config) => config.RETENTION_EVENTS_DAYS,
  deliveries: (config) => Math.max(config.RETENTION_DELIVERED_DAYS, config.RETENTION_UNDELIVERED_DAYS),
  attempts: (config) => Math.min(config.RETENTION_DELIVERED_DAYS, config.RETENTION_UNDELIVERED_DAYS),
  exports: (config) => config.RETENTION_EXPORTS_DAYS,
};

const retention = z
  .object({
    events: retained,
    deliveries: retained,
    attempts: retained,
    exports: retained,
    metrics: retained,
    uri: z.string(),
  })
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
    tagDescription: 'How long events, deliveries, attempts, files of exports and metrics of destinations are kept.',
    response: retention,
  })
  async get(@Context() { accountId, baseUrl }: RequestContext): Promise<Retention> {
    const marks = await this.marks.of(accountId);
    const metricsSince = await this.marks.unlessYounger(accountId, metricsKeptSince(Date.now()));
    const of = (kind: RetainedKind): z.infer<typeof retained> => ({
      kept_days: keptDays[kind](this.config),
      complete_since: marks.get(kind)?.toISOString() ?? null,
    });
    return {
      events: of('events'),
      deliveries: of('deliveries'),
      attempts: of('attempts'),
      exports: of('exports'),
      metrics: { kept_days: METRICS_DAYS, complete_since: metricsSince?.toISOString() ?? null },
      uri: `${baseUrl}/retention`,
    };
  }
}
