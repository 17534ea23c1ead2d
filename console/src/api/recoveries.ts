import { queryOptions } from '@tanstack/react-query';
import type { Recovery } from '@waybill/client';
import { request } from './request.js';
import type { UndeliveredState } from './undelivered.js';

/** Time between reads while a recovery is under way, and otherwise, in milliseconds. */
const [RUNNING_MS, IDLE_MS] = [2_000, 30_000];

/** Key of the newest recovery. */
export const RECOVERY_KEY = ['recovery'] as const;

/** The newest recovery of the account, of any principal; null where there is none. */
export const newestRecoveryQuery = queryOptions({
  queryKey: RECOVERY_KEY,
  queryFn: async ({ signal }): Promise<Recovery | null> => {
    const { recoveries } = await request('GET', '/event_destinations/recoveries', { query: { limit: 1 }, signal });
    return recoveries[0] ?? null;
  },
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_MS : IDLE_MS),
});

/** What a recovery redelivers. */
export interface RecoveryRange {
  /** RFC 3339: events recorded at or after this time. */
  readonly from: string;
  readonly states: readonly UndeliveredState[];
  /** Undefined: every destination. */
  readonly destinationIds: readonly string[] | undefined;
}

/** Requests a recovery. @throws ProblemError, ConnectionError */
export function createRecovery({ from, states, destinationIds: ids }: RecoveryRange): Promise<Recovery> {
  const chosen = ids === undefined ? {} : { destination_ids: [...ids] };
  return request('POST', '/event_destinations/recoveries', { body: { from, states: [...states], ...chosen } });
}

/** Ends a recovery. @throws ProblemError, ConnectionError */
export function cancelRecovery(id: string): Promise<Recovery> {
  return request('POST', '/event_destinations/recoveries/{recovery_id}/cancel', { path: { recovery_id: id } });
}
