/** The statements of a worker's presence, on the session of its process. Its lock is `(PRESENCE_LOCK_CLASS, id)`. */

/** Class of the advisory locks: "wybw" in ASCII. */
export const PRESENCE_LOCK_CLASS = 0x77_79_62_77;

/** Takes the lock of the presence $1: waits for a recovery under way. A shared one, beside that of a lost session. */
export const TAKE_LOCK = `select pg_advisory_lock_shared(${PRESENCE_LOCK_CLASS}, $1)`;

/** Releases the lock of the presence $1. */
export const RELEASE_LOCK = `select pg_advisory_unlock_shared(${PRESENCE_LOCK_CLASS}, $1)`;

/** Adds the row of the presence $1 of the instance $2: one row, or none where it is still there. */
export const ADD_ROW = `insert into worker_presences (id, instance) values ($1, $2) on conflict do nothing returning id`;

/** Records that the worker of the presence $1 lives. */
export const MARK_SEEN = `update worker_presences set seen_at = now() where id = $1`;

/** Removes the row of the presence $1. */
export const REMOVE_ROW = `delete from worker_presences where id = $1`;

/**
 * The presences without a lock, beside $1: their sessions have ended. The locks are released at the end of the
 * statement. None soon after a start of the server, which ended all sessions.
 * @param settleMs how soon, in milliseconds
 */
export function missingPresences(settleMs: number): string {
  return `select id, instance from worker_presences
    where now() - pg_postmaster_start_time() > interval '${settleMs} milliseconds'
      and case when id <> $1 then pg_try_advisory_xact_lock(${PRESENCE_LOCK_CLASS}, id) else false end`;
}
