import { useQuery } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { IconButton } from '../../components/button.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { DeliveryFacts } from './delivery-facts.js';
import { ribbonQuery } from './ribbon-query.js';
import styles from './destination.module.css';

/** Properties of `NumberFacts`. */
export interface NumberFactsProps {
  readonly id: string;
  readonly number: number;
  readonly status: EventDestinationStatus;
  readonly onClose: () => void;
}

/** The delivery that has a number. */
export function NumberFacts({ id, number, status, onClose }: NumberFactsProps) {
  const { data, error, isPlaceholderData } = useQuery(ribbonQuery(id, { from: number, to: number }, 'one'));
  const isRead = data !== undefined && !isPlaceholderData;
  const delivery = isRead ? data.deliveries[0] : undefined;
  return (
    <section className={styles.card} aria-label={`Number ${number.toLocaleString('en')}`}>
      <div className={`${styles.line} ${styles.between}`}>
        <h3 className={styles.title}>Number {number.toLocaleString('en')}</h3>
        <IconButton label="Close the number" icon="close" onPress={onClose} />
      </div>
      {error && <ProblemPanel error={error} title="The number could not be read" />}
      {!isRead && !error && <Progress label="Reading the number" />}
      {delivery && <DeliveryFacts key={delivery.id} delivery={delivery} status={status} />}
      {isRead && !delivery && (
        <p>
          No delivery has this number.{' '}
          {data.completeSince === undefined
            ? 'It is missing: compare what arrived with an export.'
            : 'Its delivery may have been removed after its retention.'}
        </p>
      )}
    </section>
  );
}
