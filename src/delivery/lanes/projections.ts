import { createHmac } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { derivedSalt } from '../../accounts/derived-salt.js';
import type { Database } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';

/** What a destination receives instead of a whole event. */
export interface Projection {
  readonly payload: string;
  /** In hexadecimal digits; null when it was removed. */
  readonly salt: string | null;
}

/** What a destination whose sources have `fields` receives instead of whole events (docs/filters.md). */
export class Projections {
  private constructor(
    private readonly projections: ReadonlyMap<string, Projection>,
    private readonly salt: Buffer | null,
  ) {}

  /** Reads the payloads of events for a destination. */
  static async read(db: Database, destinationId: string, eventIds: readonly string[]): Promise<Projections> {
    const rows = await executePrepared(
      db,
      sql<{ event_id: string | null; payload: string | null; payload_salt: string | null; salt: Buffer | null }>`
      select null::text as event_id, null::text as payload, null::text as payload_salt, s.salt
      from delivery_lanes l join account_salts s on s.account_id = l.account_id
      where l.destination_id = ${destinationId}
      union all
      select p.event_id, p.payload, encode(p.salt, 'hex'), null::bytea
      from unnest(${eventIds}::text[]) as wanted (id)
      cross join lateral (
        select event_id, payload, salt from event_projections
        where event_id = wanted.id and ${destinationId} = any(destination_ids) limit 1
      ) p`,
    );
    const projections = new Map<string, Projection>();
    let salt: Buffer | null = null;
    for (const row of rows) {
      if (row.event_id !== null && row.payload !== null)
        projections.set(row.event_id, { payload: row.payload, salt: row.payload_salt });
      salt ??= row.salt;
    }
    return new Projections(projections, salt && derivedSalt(salt, destinationId));
  }

  /** Returns what the destination receives of an event; undefined when it receives the whole event. */
  of(eventId: string): Projection | undefined {
    return this.projections.get(eventId);
  }

  /**
   * Returns the key that the events of a resource share at the target: a hash of the id with a salt of the destination.
   * A publisher may have put personal data into the id, which `fields` cannot name. Every event of the destination has
   * such a key, so that those of a resource stay together.
   */
  partitionKey(resourceId: string): string {
    return this.salt === null ? resourceId : createHmac('sha256', this.salt).update(resourceId).digest('hex');
  }
}

/**
 * Marks the lanes whose deliveries may have projections from now on. Locks those that are not marked yet: run it
 * shortly before the commit.
 */
export function markProjected(destinationIds: readonly string[]): RawBuilder<unknown> {
  return sql`
      update delivery_lanes set projected = true
      where destination_id = any(${destinationIds}::text[]) and not projected`;
}
