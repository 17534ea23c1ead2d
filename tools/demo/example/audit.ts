import type { Client } from 'pg';

/** A committed change of a row of the example's tables, as the audit trigger saw it. */
export interface CommittedChange {
  readonly table: 'customers' | 'orders' | 'payments';
  readonly operation: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly row: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** What the audit saw. */
export interface Audit {
  /** In the order of the changes of each row. */
  readonly committed: readonly CommittedChange[];
  /** Changes whose transaction was rolled back, or ended by a kill. */
  readonly rolledBack: number;
}

/**
 * The demo's own record of what was committed: a row written by a trigger, in the transaction of the change. It has
 * nothing in common with the outbox, and does not depend on what the API answered.
 */
const CREATE_AUDIT = `
  create schema demo_audit;
  create table demo_audit.changes (
    position bigint generated always as identity primary key,
    table_name text not null,
    operation text not null,
    content jsonb not null
  );
  create function demo_audit.write() returns trigger language plpgsql as $$
  begin
    insert into demo_audit.changes (table_name, operation, content)
    values (tg_table_name, tg_op, to_jsonb(coalesce(new, old)));
    return null;
  end $$;
  create trigger demo_audit after insert or update or delete on customers for each row execute function demo_audit.write();
  create trigger demo_audit after insert or update or delete on orders for each row execute function demo_audit.write();
  create trigger demo_audit after insert or update or delete on payments for each row execute function demo_audit.write();
`;

/** Creates the audit in the migrated database of the example. */
export async function createAudit(client: Client): Promise<void> {
  await client.query(CREATE_AUDIT);
}

/** Returns the number of committed changes. */
export async function countCommitted(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>('select count(*) from demo_audit.changes');
  return Number(rows[0]?.count);
}

/** Reads the audit after the last change. */
export async function readAudit(client: Client): Promise<Audit> {
  const { rows } = await client.query<CommittedChange>(
    'select table_name as "table", operation, content as row from demo_audit.changes order by position',
  );
  // A transaction that is rolled back does not return its positions.
  const { rows: numbers } = await client.query<{ last: string }>(
    `select last_value as last from demo_audit.changes_position_seq`,
  );
  return { committed: rows, rolledBack: Number(numbers[0]?.last) - rows.length };
}
