import { queryOptions } from '@tanstack/react-query';
import type { Recovery } from '@waybill/client';
import { request } from './request.js';

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
