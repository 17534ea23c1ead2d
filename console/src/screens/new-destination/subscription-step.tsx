import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventDestination } from '@waybill/client';
import { sourcesOf, type ChosenType } from '../../api/chosen-types.js';
import { request } from '../../api/request.js';
import { subscriptionsChanged } from '../../api/subscriptions.js';
import { Button } from '../../components/button.js';
import { useIdempotencyKey } from '../../components/idempotency-key.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import type { Verdict } from './steps.js';
import ui from '../../components/ui.module.css';

interface SubscriptionStepProps {
  readonly destination: EventDestination | null;
  readonly types: readonly ChosenType[];
  readonly verdict: Verdict;
  /** What is missing in the choice of event types. */
  readonly missing: readonly string[];
  /** Null before it is created. */
  readonly subscriptionId: string | null;
  /** Called with the id of the new subscription. */
  readonly onCreated: (id: string) => void;
}

/** Creates the subscription: from then on, events of the chosen types go to the destination. */
export function SubscriptionStep(props: SubscriptionStepProps) {
  const { destination, types, verdict, missing, subscriptionId, onCreated } = props;
  const client = useQueryClient();
  const keyOf = useIdempotencyKey();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (destinationId: string) => {
      const body = { destination_ids: [destinationId], sources: sourcesOf(types) };
      return request('POST', '/event_subscriptions', { body, idempotencyKey: keyOf(body) });
    },
    onSuccess: async ({ id }) => {
      await subscriptionsChanged(client);
      onCreated(id);
    },
  });
  if (subscriptionId !== null && destination !== null) {
    return (
      <p>
        The subscription <code>{subscriptionId}</code> is created: events of the chosen types are delivered from now on.{' '}
        <Link to="/destinations/$id" params={{ id: destination.id }} search={{}}>
          Open the destination
        </Link>
      </p>
    );
  }
  return (
    <>
      <p className={ui.soft}>
        {destination === null || types.length === 0
          ? 'A subscription says which events a destination receives. It is created after the steps above.'
          : `Sends ${types.length} event ${types.length === 1 ? 'type' : 'types'} to the destination, from now on. A backfill sends earlier events.`}
      </p>
      {destination !== null && types.length > 0 && verdict !== 'delivered' && (
        <p className={ui.soft}>
          {verdict === undefined || verdict === 'outdated' ? 'The destination is not tested. ' : null}
          {verdict === null ? 'The test has no verdict yet. ' : null}
          {verdict === 'retry' || verdict === 'misconfigured' || verdict === 'rejected'
            ? 'The test was not delivered. '
            : null}
          If it does not work, events wait in order until it does; none is lost before its deadline.
        </p>
      )}
      {error && <ProblemPanel error={error} title="The subscription was not created" />}
      <div className={ui.line}>
        <Button
          look="main"
          isDisabled={destination === null || types.length === 0 || missing.length > 0}
          isBusy={isPending}
          onPress={() => destination && mutate(destination.id)}
        >
          Create the subscription
        </Button>
      </div>
    </>
  );
}
