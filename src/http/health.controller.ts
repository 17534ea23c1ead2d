import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { z } from 'zod';
import { Problem } from '../problems/problem.js';
import { withTimeout } from '../timing/with-timeout.js';
import { HEALTH, type Health } from './health.js';
import { Operation } from './openapi/operation.js';
import { Public } from './public.js';

/** Timeout of the check of a store, in milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

/** Health checks of the process. */
@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  @Get('livez')
  @Public()
  @Operation({
    id: 'isAlive',
    summary: 'Check that the process makes progress',
    tagDescription: 'Health checks of the process. They require no API key.',
    tag: 'Health',
    response: healthSchema,
    errors: ['unavailable'],
  })
  isAlive(): z.infer<typeof healthSchema> {
    const reason = this.health.stallReason();
    if (reason !== null) throw new Problem('unavailable', 'unavailable', reason);
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @Operation({
    id: 'isReady',
    summary: 'Check that the process takes requests and its stores accept writes',
    tag: 'Health',
    response: healthSchema,
    errors: ['unavailable'],
  })
  async isReady(): Promise<z.infer<typeof healthSchema>> {
    if (this.health.stopping()) throw new ServiceUnavailableException();
    const checks = Object.entries(this.health.stores).map(async ([name, check]) =>
      (await responds(check)) ? [] : [name],
    );
    const silent = (await Promise.all(checks)).flat();
    if (silent.length > 0) {
      throw new Problem(
        'unavailable',
        'unavailable',
        `These stores do not respond, or accept no writes: ${silent.join(', ')}.`,
        {
          retryAfterSeconds: 2,
        },
      );
    }
    return { status: 'ok' };
  }
}

async function responds(check: () => Promise<unknown>): Promise<boolean> {
  const responded = check().then(
    () => true,
    () => false,
  );
  return (await withTimeout(responded, CHECK_TIMEOUT_MS)) ?? false;
}
