import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { destinationQuery } from '../../api/destination.js';
import { nameOrId } from '../../api/name-or-id.js';
import { isNotFound } from '../../api/problem.js';
import { serviceOf } from '../../api/target-kind.js';
import { undeliveredStates } from '../../api/undelivered.js';
import styles from './not-delivered.module.css';

/** Properties of `DestinationCell`. */
export interface DestinationCellProps {
  readonly delivery: Delivery;
  /** Undefined where the list of all destinations does not have it. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the list of all destinations has been read. */
  readonly isListed: boolean;
}

/** Leads to the deliveries of the destination in the state of this one, and says when the destination is deleted. */
export function DestinationCell({ delivery: { destination_id: id, state }, status, isListed }: DestinationCellProps) {
  // A new destination is not in the list yet. Only the API knows that there is none.
  const { error } = useQuery({ ...destinationQuery(id), enabled: isListed && status === undefined });
  if (status === undefined && isNotFound(error)) {
    return (
      <>
        <code>{id}</code>
        <div className={styles.small}>deleted destination</div>
      </>
    );
  }
  return (
    <>
      <Link
        to="/destinations/$id"
        params={{ id }}
        search={{ tab: 'deliveries', state: undeliveredStates.find((one) => one === state) }}
      >
        {nameOrId(status?.description, id)}
      </Link>
      {status && <div className={styles.small}>{serviceOf(status.target_kind)}</div>}
    </>
  );
}
