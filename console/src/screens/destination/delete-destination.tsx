import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteDestination, onlyTo, subscriptionsChanged, subscriptionsToQuery } from '../../api/subscriptions.js';
import { useStatusOf } from '../../app/status-of.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import styles from './destination.module.css';

/** Properties of `DeleteDestination`. */
export interface DeleteDestinationProps {
  readonly id: string;
  /** The description of the destination, or its id. */
  readonly name: string;
}

/** The card that deletes a destination, with its question. */
export function DeleteDestination({ id, name }: DeleteDestinationProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={styles.card} aria-labelledby="deletion">
      <h2 id="deletion" className={styles.title}>
        Delete the destination
      </h2>
      <p className={styles.soft}>It receives nothing more. What the target has stays there.</p>
      <div className={styles.line}>
        <Button look="danger" onPress={() => setAsking(true)}>
          Delete the destination
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}`}
        confirmLabel="Delete it"
        danger
        onConfirm={async () => {
          await deleteDestination(id, () => undefined);
          await navigate({ to: '/', search: {} });
          await Promise.all([client.invalidateQueries({ queryKey: ['statuses'] }), subscriptionsChanged(client)]);
        }}
      >
        <Consequences id={id} name={name} />
      </ConfirmDialog>
    </section>
  );
}

function Consequences({ id, name }: DeleteDestinationProps) {
  const { status } = useStatusOf(id);
  const { data: subscriptions = [] } = useQuery(subscriptionsToQuery(id));
  const only = onlyTo(id, subscriptions).length;
  const others = subscriptions.length - only;
  return (
    <>
      <p>
        The destination <strong>{name}</strong> <code>{id}</code> is deleted. This cannot be undone.
      </p>
      <ul>
        {status !== undefined && (
          <li>
            {status.pending === 0
              ? 'No event waits for it. One that comes meanwhile is cancelled.'
              : `${status.pending.toLocaleString('en')}${status.pending_is_lower_bound ? '+' : ''} undelivered ${status.pending === 1 ? 'event is' : 'events are'} cancelled: the target never receives them.`}
          </li>
        )}
        {only > 0 && <li>{only === 1 ? 'Its subscription is' : `${only} subscriptions are`} deleted.</li>}
        {others > 0 && (
          <li>
            It is removed from {others === 1 ? 'a subscription' : `${others} subscriptions`} with other destinations.
          </li>
        )}
        <li>The events stay in the event log.</li>
      </ul>
    </>
  );
}
