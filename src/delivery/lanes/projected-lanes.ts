import { sql, type RawBuilder } from 'kysely';

/**
 * Marks the lanes whose deliveries may have projections from now on. Locks those that are not marked yet: run it
 * shortly before the commit.
 */
export function markProjected(destinationIds: readonly string[]): RawBuilder<unknown> {
  return sql`
      update delivery_lanes set projected = true
      where destination_id = any(${destinationIds}::text[]) and not projected`;
}
