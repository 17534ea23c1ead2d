import type { QueryClient } from '@tanstack/react-query';

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

/** Reads again what is shown of a destination that was changed. */
export async function destinationChanged(client: QueryClient, id: string): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name, id] })));
}
