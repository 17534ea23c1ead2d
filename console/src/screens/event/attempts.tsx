import type { Delivery } from '@waybill/client';
import { AttemptList } from '../../components/attempt-list.js';
import styles from './deliveries.module.css';

/** Attempts of a delivery, with the waits before them. They are folded once it was delivered. */
export function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const { attempts, attempt_count: count, state, created_at: since } = delivery;
  if (count === 0) return null;
  return (
    <details open={state !== 'delivered'}>
      <summary className={styles.summary}>
        {count.toLocaleString('en')} {count === 1 ? 'attempt' : 'attempts'}
      </summary>
      <AttemptList attempts={attempts} total={count} since={since} />
    </details>
  );
}
