import { useQuery } from '@tanstack/react-query';
import { lastHourOf } from '../../api/spark-steps.js';
import { Sparkline } from '../../components/sparkline.js';
import styles from './overview.module.css';

const MINUTE_MS = 60_000;

/** The deliveries of a destination in the last hour, read again every minute while the row is shown. */
export function LastHour({ id, name }: { readonly id: string; readonly name: string }) {
  const { data, error } = useQuery({
    queryKey: ['last-hour', id],
    queryFn: ({ signal }) => lastHourOf(id, signal),
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
  });
  if (data) return <Sparkline steps={data} period={`${name}, last hour`} />;
  return <span className={styles.soft}>{error ? 'not available' : ''}</span>;
}
