import { sql, type RawBuilder } from 'kysely';
import { fromNow } from '../../database/database-time.js';

/** How long attempts are kept, in milliseconds. */
export interface AttemptRetention {
  /** For healthy ones. */
  readonly deliveredMs: number;
  /** For the others. */
  readonly undeliveredMs: number;
}

/**
 * Removes the attempts of the part `page` that are older than their retention: a statement that returns when they
 * started. `page` has their `id`, `started_at` and `outcome`.
 */
export function removeAttempts({ deliveredMs, undeliveredMs }: AttemptRetention): RawBuilder<unknown> {
  return sql`
        delete from delivery_attempts a using page
        where a.id = page.id and page.started_at <= case page.outcome when 'healthy' then ${fromNow(-deliveredMs)}
                                                                      else ${fromNow(-undeliveredMs)} end
        returning a.started_at`;
}
