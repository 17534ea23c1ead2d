import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { Problem } from '../problems/problem.js';
import { withTimeout } from '../timing/with-timeout.js';
import { HEALTH, type Health } from './health.js';
import { Operation } from './openapi/operation.js';
import { Public } from './public.js';

/** Longest that a store may take to say that it is there, in milliseconds. */
const LONGEST_CHECK_MS = 2_000;

const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

/** For the monitors of the process. */
@Controller()
export class HealthController {
  constructor(@Inject(HEALTH) private readonly health: Health) {}

  @Get('livez')
  @Public()
  @Operation({
    id: 'isAlive',
    summary: 'Whether the process makes progress',
    tagDescription: 'For the monitors of the process. They take no API key.',
    tag: 'Health',
    response: healthSchema,
    errors: ['unavailable'],
  })
  isAlive(): z.infer<typeof healthSchema> {
    const stalled = this.health.stalled();
    if (stalled !== null) throw new Problem('unavailable', 'unavailable', stalled);
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @Operation({
    id: 'isReady',
    summary: 'Whether the stores answer',
    tag: 'Health',
    response: healthSchema,
    errors: ['unavailable'],
  })
  async isReady(): Promise<z.infer<typeof healthSchema>> {
    const checks = Object.entries(this.health.stores).map(async ([name, check]) =>
      (await answers(check)) ? [] : [name],
    );
    const silent = (await Promise.all(checks)).flat();
    if (silent.length > 0) {
      throw new Problem('unavailable', 'unavailable', `No answer from: ${silent.join(', ')}.`, {
        retryAfterSeconds: 2,
      });
    }
    return { status: 'ok' };
  }
}

async function answers(check: () => Promise<unknown>): Promise<boolean> {
  const answered = check().then(
    () => true,
    () => false,
  );
  return (await withTimeout(answered, LONGEST_CHECK_MS)) ?? false;
}
