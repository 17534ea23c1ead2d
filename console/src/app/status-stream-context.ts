import { useQuery } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { destinationStatusQuery } from '../api/destination.js';
import type { LiveConnection, LiveState } from '../api/live-connection.js';
import { lastKnownAt, statusesQuery } from '../api/live-statuses.js';
import { freezeDurations } from '../time/clock.js';

/** The stream of the session. */
export const StatusStreamContext = createContext<LiveConnection | null>(null);

/** Time between reads of the list while the stream cannot be had, in milliseconds. */
const POLL_MS = 15_000;

/** The status of every destination as a page shows it. */
export interface ShownStatuses {
  /** Status of each destination; null before the first ones arrived. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  readonly state: LiveState;
  /** When the statuses were last known, in milliseconds since 1970. Null while they are live, and before the first. */
  readonly asOf: number | null;
  readonly pause: () => void;
  readonly resume: () => void;
  /** Why the list could not be read, where the stream cannot be had either. */
  readonly listError: Error | null;
}

/**
 * Returns the status of every destination, and again when something changed: from the stream, and from the list while
 * the stream cannot be had.
 */
export function useStatuses(): ShownStatuses {
  const stream = useContext(StatusStreamContext);
  if (stream === null) throw new Error('This page needs a session.');
  const state = useSyncExternalStore(stream.subscribe, stream.getState);
  const isCut = state.kind === 'waiting';
  const { data, dataUpdatedAt, error } = useQuery({ ...statusesQuery, enabled: isCut, refetchInterval: POLL_MS });
  const asOf = lastKnownAt(stream, dataUpdatedAt);
  useEffect(() => freezeDurations(asOf), [asOf]);
  useEffect(() => stream.open(), [stream]);
  const { pause, resume } = stream;
  return { statuses: data ?? null, state, asOf, pause, resume, listError: isCut ? error : null };
}

/** The status of one destination, and whether it is live. */
interface ShownStatus extends Omit<ShownStatuses, 'statuses'> {
  /** Undefined before it is known, and where the destination does not exist. */
  readonly status: EventDestinationStatus | undefined;
  /** Whether the first answer is awaited. */
  readonly isReading: boolean;
  /** Why the status could not be read where the stream has none. */
  readonly error: Error | null;
}

/**
 * Returns the status of a destination: of the stream, and of a request where the stream has none.
 * @param id undefined: of none
 */
export function useStatusOf(id: string | undefined): ShownStatus {
  const { statuses, ...shown } = useStatuses();
  const live = id === undefined ? undefined : statuses?.find((one) => one.id === id);
  const enabled = id !== undefined && live === undefined;
  const { data, error, isFetched, failureCount } = useQuery({ ...destinationStatusQuery(id ?? ''), enabled });
  const isReading = enabled && !isFetched && failureCount === 0;
  return { ...shown, status: live ?? data, isReading, error: enabled ? error : null };
}
