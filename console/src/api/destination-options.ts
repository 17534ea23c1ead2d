import type { EventDestinationStatus } from '@waybill/client';

/**
 * Returns the options of a field that chooses a destination: the id of each, and its description, service and id. They
 * are in the order of the descriptions, those without one last, then of the services.
 * @param serviceOf names the service of a kind of target
 */
export function destinationOptions(
  statuses: readonly Pick<EventDestinationStatus, 'id' | 'description' | 'target_kind'>[],
  serviceOf: (kind: string) => string,
): readonly (readonly [id: string, name: string])[] {
  return statuses
    .toSorted(
      (one, other) =>
        Number(one.description === null) - Number(other.description === null) ||
        (one.description ?? '').localeCompare(other.description ?? '', 'en', { numeric: true }) ||
        serviceOf(one.target_kind).localeCompare(serviceOf(other.target_kind), 'en'),
    )
    .map(({ id, description, target_kind: kind }) => [
      id,
      `${description === null ? '' : `${description} · `}${serviceOf(kind)} (${id})`,
    ]);
}
