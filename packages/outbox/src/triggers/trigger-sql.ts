import { publishingLimits } from '../generated/publishing-limits.js';
import { partsOfName, quotedIdentifier, quotedLiteral } from './sql-quoting.js';

/** How the changes of a table become events. */
export interface TriggerOptions {
  /** `orders`, `public.orders`, or `"any name"."orders"`. Names are case-sensitive with and without quotes. */
  readonly table: string;
  /** Name of the resource type at Waybill, such as `order`. Its actions must be created, updated and deleted. */
  readonly type: string;
  /** Version of the resource type. Default: 0. */
  readonly version?: number;
  /** Columns that identify a row. Default: `id`. Several values are joined with `/`. */
  readonly id?: readonly string[];
  /** Columns that no event shows, such as `password_hash`. A change of these alone is no event. */
  readonly exclude?: readonly string[];
  /** Numeric columns that events show as text always. Other columns do so for numbers that JSON cannot carry. */
  readonly text?: readonly string[];
  /**
   * Column of soft deletes, such as `deleted_at`: a row in which it is neither NULL nor false counts as deleted. So
   * setting it is a deletion, and clearing it is a creation. Other changes of a deleted row are no events.
   */
  readonly softDelete?: string;
}

// Triggers fire in the order of their names. A trigger of the application that changes the row again must come after.
const RECORD_TRIGGER = '"00_waybill_record"';
const TRUNCATE_TRIGGER = '"00_waybill_refuse_truncate"';

/**
 * Returns the SQL that records every change of a table from then on. It replaces the triggers of an earlier call. It
 * is one statement, hence one transaction; run it as the owner of the table.
 * @throws RangeError for options that are not valid
 */
export function triggerSql(options: TriggerOptions): string {
  const table = quotedTable(options.table);
  const argument = quotedLiteral(JSON.stringify(triggerArgument(options)));
  const block = `begin
  perform waybill_outbox.check_columns(${quotedLiteral(table)}, ${argument});

  drop trigger if exists ${RECORD_TRIGGER} on ${table};
  create trigger ${RECORD_TRIGGER} after insert or update or delete on ${table}
  for each row execute function waybill_outbox.record_change(${argument});

  drop trigger if exists ${TRUNCATE_TRIGGER} on ${table};
  create trigger ${TRUNCATE_TRIGGER} before truncate on ${table}
  for each statement execute function waybill_outbox.refuse_truncate();
end`;
  // A name must not end the quoted text.
  let tag = 'waybill';
  while (block.includes(`$${tag}$`)) tag += '_';
  return `do $${tag}$\n${block}\n$${tag}$;\n`;
}

/**
 * Returns the name of a table as SQL.
 * @throws RangeError when it is not a name of one or two parts
 */
export function quotedTable(table: string): string {
  return partsOfName(table).map(quotedIdentifier).join('.');
}

const { typeNameForm, longestTypeName, highestVersion, reservedEventTypeForm } = publishingLimits;
const resourceTypeName = new RegExp(typeNameForm);
const reservedEventType = new RegExp(reservedEventTypeForm);

/**
 * Returns what the SQL functions need to know of a table.
 * @throws RangeError for options that are not valid
 */
export function triggerArgument(options: TriggerOptions): Readonly<Record<string, unknown>> {
  const { type, version = 0, id = ['id'], exclude = [], text = [], softDelete } = options;
  if (!resourceTypeName.test(type) || type.length > longestTypeName)
    throw new RangeError(`${JSON.stringify(type)} is no name of a resource type: use snake case, such as order_line.`);
  if (!Number.isInteger(version) || version < 0 || version > highestVersion)
    throw new RangeError(`The version must be a whole number from 0 to ${highestVersion}.`);
  if (id.length === 0) throw new RangeError('At least one column must identify a row.');
  const event = (action: string): string => `${type}_${action}.v${version}`;
  if (reservedEventType.test(event('created')))
    throw new RangeError(`${type} is a resource type of Waybill: put a namespace before it, such as app.${type}.`);
  return {
    created: event('created'),
    updated: event('updated'),
    deleted: event('deleted'),
    id,
    ...(exclude.length > 0 && { exclude }),
    ...(text.length > 0 && { text }),
    ...(softDelete !== undefined && { soft_delete: softDelete }),
  };
}
