import { useQuery } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { useMay } from '../../../app/session-context.js';
import { IconButton } from '../../../components/button.js';
import { DeliveryFacts } from '../../../components/delivery-facts.js';
import { ProblemPanel } from '../../../components/problem-panel.js';
import { Progress } from '../../../components/progress.js';
import { ribbonQuery } from './ribbon-query.js';
import ui from '../../../components/ui.module.css';

interface NumberFactsProps {
  readonly id: string;
  readonly number: number;
  readonly status: EventDestinationStatus;
  readonly onClose: () => void;
}

/** The delivery that has a number. */
export function NumberFacts({ id, number, status, onClose }: NumberFactsProps) {
  const mayOperate = useMay('operate');
  const { data, error } = useQuery(ribbonQuery(id, { from: number, to: number }));
  // While another number is read, the data is that of the number before.
  const reading = data?.window.from === number && data.window.to === number ? data : undefined;
  const delivery = reading?.deliveries[0];
  return (
    <section className={`${ui.card} ${ui.stack}`} aria-label={`Sequence ${number.toLocaleString('en')}`}>
      <div className={`${ui.line} ${ui.between}`}>
        <h3>Sequence {number.toLocaleString('en')}</h3>
        <IconButton label="Close the sequence" icon="close" onPress={onClose} />
      </div>
      {error && <ProblemPanel error={error} title="The sequence could not be read" />}
      {!reading && !error && <Progress label="Reading the sequence" />}
      {delivery && (
        <DeliveryFacts key={delivery.id} delivery={delivery} status={status} withEvent mayOperate={mayOperate} />
      )}
      {reading && !delivery && (
        <p>
          No delivery has this sequence.{' '}
          {(reading.last ?? number) < number
            ? 'It was given back: a later event gets it.'
            : reading.completeSince === undefined
              ? 'It is missing: compare what arrived with an export.'
              : 'Its delivery may have been removed after its retention.'}
        </p>
      )}
    </section>
  );
}
