import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

/** The connections to Postgres. */
export class Database implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 10 });
    // An idle connection that breaks is replaced by the next query.
    this.pool.on('error', () => {});
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}
