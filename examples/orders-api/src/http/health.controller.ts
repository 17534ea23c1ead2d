import { Controller, Get, Inject } from '@nestjs/common';
import { Database } from '../database/database.js';

/** For load balancers. */
@Controller('/healthz')
export class HealthController {
  constructor(@Inject(Database) private readonly database: Database) {}

  @Get()
  async check(): Promise<{ readonly status: 'ok' }> {
    await this.database.pool.query('select 1');
    return { status: 'ok' };
  }
}
