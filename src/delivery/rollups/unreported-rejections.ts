import { sql, type RawBuilder } from 'kysely';

/**
 * Takes rejections that no event has reported: a statement that returns their `id`, `recorded_at` and `rejections`.
 * @param ids a query of their ids
 */
export function takeUnreported(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
        delete from unreported_rejections where id = any(array(${ids}))
        returning id, recorded_at, rejections`;
}
