import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sendNothing, subscriptionsToQuery } from '../../api/subscriptions.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import styles from './destination.module.css';

/** A line for a destination that receives no events; nothing for any other. */
export function NoEvents({ destinationId }: { readonly destinationId: string }) {
  const { data } = useQuery(subscriptionsToQuery(destinationId));
  if (!data || !sendNothing(data)) return null;
  return (
    <div className={styles.line} role="status">
      <span className={styles.strong}>
        {data.length === 0
          ? 'It receives no events: no subscription names it.'
          : 'It receives no events: its subscription has no event type.'}
      </span>
      {data.length === 0 && <ChooseEvents destinationId={destinationId} />}
    </div>
  );
}

/** Leads to the steps that choose the events of a destination. */
export function ChooseEvents({ destinationId }: { readonly destinationId: string }) {
  const mayChange = useMay('change');
  const navigate = useNavigate();
  if (!mayChange) {
    return <span className={styles.soft}>A person whose key has the role admin can choose its events.</span>;
  }
  return (
    <Button
      look="main"
      onPress={() => void navigate({ to: '/destinations/new', search: { id: destinationId }, hash: 'step-types' })}
    >
      Choose events
    </Button>
  );
}
