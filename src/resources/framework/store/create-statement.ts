import { sql, type RawBuilder } from 'kysely';
import { placeholder } from '../../../database/prepared.js';
import { partName } from '../../../database/statement-parts.js';
import {
  EVENT_PLACEHOLDERS,
  eventPlaceholders,
  isSimple,
  preparedSimpleStatement,
  type PreparedCreate,
} from '../../../events/fan-out/fan-out-statement.js';
import type { ResourceRow } from '../definition/definition.js';
import { takeAllowance, type Quota } from './allowance-store.js';

/** The event of a create has the id, account and kind of its resource. */
const { resourceId, accountId, kind } = eventPlaceholders;
const [attributes, version, createdAt, updatedAt, most] = [0, 1, 2, 3, 4].map((index) =>
  placeholder(EVENT_PLACEHOLDERS + index),
);

const within = preparedSimpleStatement([
  takeAllowance({ accountId, kind, most }, isSimple),
  insertion(sql`(select account_id from ${partName(0)})`),
]);
const unlimited = preparedSimpleStatement([insertion(sql`${accountId}::text`)]);

/** @param account null in the database when no allowance was taken, which fails the statement */
function insertion(account: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into resources (id, account_id, kind, attributes, version, created_at, updated_at)
    select ${resourceId}::text, ${account}, ${kind}::text, ${attributes}::jsonb, ${version}::int,
           ${createdAt}::timestamptz, ${updatedAt}::timestamptz
    where ${isSimple}`;
}

/**
 * Returns the statement that inserts a resource without parent, lease and links together with its event, if the fan-out
 * of the event is simple.
 * @param quota the quota whose allowance the statement takes; it fails when there is none (`isWithoutAllowance`)
 */
export function createStatement(row: ResourceRow, quota: Quota | null): PreparedCreate {
  const times = [row.created_at.toISOString(), row.updated_at.toISOString()];
  const values = [JSON.stringify(row.attributes), row.version, ...times];
  return quota === null ? { statement: unlimited, values } : { statement: within, values: [...values, quota.most] };
}
