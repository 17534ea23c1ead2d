import { useQuery } from '@tanstack/react-query';
import { destinationQuery } from '../api/destination.js';
import { isNotFound } from '../api/problem.js';

/**
 * Whether a destination that the list of statuses does not have was deleted. A new one is not in the list yet: only
 * the API knows that there is none.
 * @param isUnlisted whether the list was read, and does not have it
 */
export function useIsDeleted(id: string, isUnlisted: boolean): boolean {
  const { error } = useQuery({ ...destinationQuery(id), enabled: isUnlisted });
  return isUnlisted && isNotFound(error);
}
