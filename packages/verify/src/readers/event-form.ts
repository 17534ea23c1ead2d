/**
 * How an exported event was found. `delivered`: as Waybill sent it. `attributes`: as the attributes that Datadog has
 * made of it. `row`: as a row of a table of Azure, with its columns.
 */
export type EventForm = 'delivered' | 'attributes' | 'row';

/** A column that every table of Azure has, and no event. */
const ROW_COLUMN = 'TimeGenerated';

/** Standard columns of Azure. https://learn.microsoft.com/azure/azure-monitor/logs/log-standard-columns */
const standardColumns: ReadonlySet<string> = new Set([
  ROW_COLUMN,
  'TenantId',
  'Type',
  'MG',
  'ManagementGroupName',
  'SourceSystem',
  'Computer',
  'RawData',
]);

/** Returns whether an object has the columns of a table of Azure. */
export function isRow(record: object): boolean {
  return ROW_COLUMN in record;
}

/** Returns the members of a row that are not columns of Azure's own. */
export function withoutColumns(row: object): [name: string, value: unknown][] {
  return Object.entries(row).filter(([name]) => !standardColumns.has(name) && !name.startsWith('_'));
}
