import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { EventSubscription } from '@waybill/client';
import { useState } from 'react';
import {
  deleteDestination,
  onlyTo,
  subscriptionsChanged,
  subscriptionsToQuery,
  type Removal,
} from '../../api/subscriptions.js';
import { useStatusOf } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { boundedText } from '../../components/count.js';
import { FormDialog } from '../../components/form-dialog.js';
import { QueryState } from '../../components/query-state.js';
import ui from '../../components/ui.module.css';

interface DeleteDestinationProps {
  readonly id: string;
  /** The description of the destination, or its id. */
  readonly name: string;
}

/** The card that deletes a destination, with its question. */
export function DeleteDestination({ id, name }: DeleteDestinationProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const [removals, setRemovals] = useState<readonly Removal[]>([]);
  const query = useQuery(subscriptionsToQuery(id));
  const { data: subscriptions, error, refetch } = query;
  return (
    <Card title="Delete the destination">
      <p className={ui.soft}>It receives nothing more. What the target has stays there.</p>
      <div className={ui.line}>
        <Button
          look="danger"
          onPress={() => {
            setRemovals([]);
            setAsking(true);
            void refetch();
          }}
        >
          Delete the destination
        </Button>
      </div>
      {isAsking && (
        <FormDialog
          isQuestion
          isDangerous
          title={`Delete ${name}`}
          submitLabel="Delete it"
          missing={subscriptions && !error ? null : 'It is not known yet what the deletion changes.'}
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            try {
              await deleteDestination(id, (removal) => setRemovals((before) => [...before, removal]));
              await navigate({ to: '/', search: {} });
            } finally {
              await Promise.all([client.invalidateQueries({ queryKey: ['statuses'] }), subscriptionsChanged(client)]);
            }
          }}
        >
          <QueryState query={query} what="subscriptions" />
          {!error && subscriptions && <Consequences id={id} name={name} subscriptions={subscriptions} />}
          {removals.length > 0 && <p role="status">{doneText(removals)}</p>}
        </FormDialog>
      )}
    </Card>
  );
}

/** Returns what was done to subscriptions, which stays so if the rest fails. */
function doneText(removals: readonly Removal[]): string {
  const deleted = removals.filter((one) => one === 'deleted').length;
  const changed = removals.length - deleted;
  const texts = [
    ...(deleted > 0 ? [`${deleted === 1 ? '1 subscription is' : `${deleted} subscriptions are`} deleted`] : []),
    ...(changed > 0 ? [`it is removed from ${changed === 1 ? '1 subscription' : `${changed} subscriptions`}`] : []),
  ];
  return `Done already: ${texts.join(', and ')}.`;
}

interface ConsequencesProps extends DeleteDestinationProps {
  readonly subscriptions: readonly EventSubscription[];
}

function Consequences({ id, name, subscriptions }: ConsequencesProps) {
  const { status } = useStatusOf(id);
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
              ? 'No event waits for it. One that comes before the deletion is cancelled.'
              : `${boundedText(status.pending, status.pending_is_lower_bound)} waiting ${status.pending === 1 ? 'event is' : 'events are'} cancelled: the target never receives them.`}
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
