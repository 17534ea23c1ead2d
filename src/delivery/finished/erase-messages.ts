import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';

/** Removes what targets have said of events: their messages may quote the events. */
export async function eraseMessages(trx: Transaction, eventIds: readonly string[]): Promise<void> {
  await sql`
    update finished_deliveries
    set error_message = null,
        earlier_runs = (select jsonb_agg(run - 'message') from jsonb_array_elements(earlier_runs) run)
    where event_id = any(${eventIds}::text[]) and (error_message is not null or earlier_runs is not null)`.execute(trx);
}
