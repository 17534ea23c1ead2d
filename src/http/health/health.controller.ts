import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { z } from 'zod';
import { Problem } from '../../problems/problem.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { Operation } from '../openapi/operation.js';
import { HEALTH, type Health } from './health.js';

/** Timeout of the check of a store, in milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const readinessSchema = z
  .object({
    status: z.literal('ok'),
    target_clients: z
      .record(z.string(), z.enum(['loading', 'failed']))
      .optional()
      .meta({
        description:
          'Vendors’ clients that the worker of this process needs and has not loaded, by kind of target. Deliveries of these kinds wait. A failed load is repeated. Absent when there are none.',
      }),
  })
  .meta({ id: 'Readiness' });

/** Health checks of the process. */
@Controller()
export class HealthController {
  /** The check of each store that is in progress, which all requests share: anyone may ask, at any rate. */
  private readonly inProgress = new Map<string, Promise<boolean>>();

  constructor(@Inject(HEALTH) private readonly health: Health) {}

  @Get('livez')
  @Operation({
    id: 'isAlive',
    summary: 'Check that the process makes progress',
    tagDescription: 'Health checks of the process. They require no API key.',
    tag: 'Health',
    access: 'public',
    response: healthSchema,
    errors: ['unavailable'],
  })
  isAlive(): z.infer<typeof healthSchema> {
    const reason = this.health.stallReason();
    if (reason !== null) throw new Problem('unavailable', reason);
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation({
    id: 'isReady',
    summary: 'Check that the process takes requests and the stores that it needs are usable',
    tag: 'Health',
    access: 'public',
    response: readinessSchema,
    errors: ['unavailable'],
  })
  async isReady(): Promise<z.infer<typeof readinessSchema>> {
    if (this.health.stopping()) throw new ServiceUnavailableException();
    const checks = Object.entries(this.health.stores).map(async ([name, check]) =>
      (await this.responds(name, check)) ? [] : [name],
    );
    const silent = (await Promise.all(checks)).flat();
    if (silent.length > 0) {
      throw new Problem('unavailable', `These stores do not respond, or accept no writes: ${silent.join(', ')}.`);
    }
    const clients = this.health.clientsNotLoaded();
    return { status: 'ok', ...(Object.keys(clients).length > 0 && { target_clients: clients }) };
  }

  private async responds(store: string, check: () => Promise<unknown>): Promise<boolean> {
    const responded = this.inProgress.get(store) ?? this.begin(store, check);
    return (await withTimeout(responded, CHECK_TIMEOUT_MS)) ?? false;
  }

  private begin(store: string, check: () => Promise<unknown>): Promise<boolean> {
    const end = (succeeded: boolean): boolean => {
      this.inProgress.delete(store);
      return succeeded;
    };
    const responded = check().then(
      () => end(true),
      () => end(false),
    );
    this.inProgress.set(store, responded);
    return responded;
  }
}
