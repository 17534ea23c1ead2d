import { useQuery } from '@tanstack/react-query';
import { useCallback, type ReactNode } from 'react';
import { targetKindsQuery, type TargetKind } from '../../api/target-kinds.js';
import { QueryState } from '../query-state.js';

/** Shows what needs the kinds of target, after they were read. */
export function WithTargetKinds({ children }: { readonly children: (kinds: readonly TargetKind[]) => ReactNode }) {
  const query = useQuery(targetKindsQuery);
  return query.data ? children(query.data) : <QueryState query={query} what="kinds of target" />;
}

/** Returns the name of the service of a kind of target: `Kinesis Data Streams`. */
export type ServiceOf = (kind: string) => string;

/** Returns a function that names the services; the names are empty until they were read. */
export function useServiceOf(): ServiceOf {
  const { data, error } = useQuery(targetKindsQuery);
  return useCallback(
    (name) => data?.find(({ kind }) => kind === name)?.title ?? (data || error ? name : ''),
    [data, error],
  );
}
