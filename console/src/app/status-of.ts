import { useQuery } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { destinationStatusQuery } from '../api/destination.js';
import { useStatuses, type ShownStatuses } from './status-feed-context.js';

/** The status of one destination, and whether it is live. */
export interface ShownStatus extends Omit<ShownStatuses, 'statuses'> {
  /** Undefined before it is known, and where the destination does not exist. */
  readonly status: EventDestinationStatus | undefined;
}

/**
 * Returns the status of a destination: of the stream, and of a request where the stream has none.
 * @param id undefined: of none
 */
export function useStatusOf(id: string | undefined): ShownStatus {
  const { statuses, ...feed } = useStatuses();
  const live = id === undefined ? undefined : statuses?.find((one) => one.id === id);
  const { data } = useQuery({ ...destinationStatusQuery(id ?? ''), enabled: id !== undefined && live === undefined });
  return { ...feed, status: live ?? data };
}
