import { sql, type RawBuilder } from 'kysely';
import { newId } from '../../ids/id.js';

/**
 * Returns the token of an attempt. It names the presence of its worker, so that the lease can be ended when the worker
 * has died.
 * @param presenceId null: the lease ends by itself only
 */
export function newAttemptToken(presenceId: number | null): string {
  const token = newId('att');
  return presenceId === null ? token : `${token}.${presenceId}`;
}

/**
 * Whether the token of the lane `l` names this presence.
 * @param presenceId an SQL expression
 */
export function isLeasedBy(presenceId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`l.attempt_token like '%.' || ${presenceId}`;
}
