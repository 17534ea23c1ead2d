import { sql, type Kysely } from 'kysely';

/** The release before it works with this schema. */
export const additive = true;

/**
 * Gives names whose certificate is being issued a due time. A check is then due at once, and after the next one
 * provisioning fails unless the data plane reports a certificate in time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update resources set attributes = jsonb_set(attributes, '{provisioning,due_at}',
      to_jsonb(to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where kind in ('reserved_domain', 'agent_ingress')
      and attributes #>> '{provisioning,due_at}' is null
      and attributes #> '{certificate_management_status,provisioning_job}' <> 'null'`.execute(db);
}
