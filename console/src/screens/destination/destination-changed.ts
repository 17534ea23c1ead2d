import type { QueryClient } from '@tanstack/react-query';
import { UNDELIVERED_KEY } from '../../api/undelivered.js';

/** Names of the queries that show one destination; the id follows each. */
const names = [
  'destination',
  'destination-status',
  'deliveries',
  'delivery',
  'ended-count',
  'backfills',
  'ribbon',
  'metrics',
  'last-change',
] as const;

/** Reads again what is shown of a destination that was changed, and what was not delivered to any. */
export async function destinationChanged(client: QueryClient, id: string): Promise<void> {
  const keys = [...names.map((name) => [name, id]), [UNDELIVERED_KEY]];
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
