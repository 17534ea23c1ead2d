import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { EventSubscription } from '@waybill/client';
import { useRef, useState } from 'react';
import { chosenOf, missingInTypes, sourcesOf, type ChosenType } from '../../api/chosen-types.js';
import { ProblemError } from '../../api/problem.js';
import { request } from '../../api/request.js';
import { subscriptionQuery, subscriptionsChanged } from '../../api/subscriptions.js';
import type { Versioned } from '../../api/versioned.js';
import { useMay } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { TypeChooser } from '../../components/event-types/type-chooser.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { QueryState } from '../../components/query-state.js';
import { UnsavedQuestion } from '../../components/unsaved-question.js';
import ui from '../../components/ui.module.css';

const TITLE = 'Change the subscription';

/** Changes which events a subscription sends. */
function SubscriptionPage() {
  const { id, subscriptionId } = screen.useParams();
  const mayChange = useMay('change');
  const query = useQuery(subscriptionQuery(subscriptionId));
  const { data, error, refetch } = query;
  // Counts how often the person asked for the present version.
  const [round, setRound] = useState(0);
  const readAgain = async (): Promise<void> => {
    const { isSuccess } = await refetch();
    if (isSuccess) setRound((before) => before + 1);
  };
  if (!mayChange) {
    return (
      <>
        <PageHeader title={TITLE} />
        <EmptyState title="Your role cannot change a subscription" actions={<BackLink id={id} />}>
          Ask a person whose key has the role admin.
        </EmptyState>
      </>
    );
  }
  if (error && !data) {
    return (
      <>
        <PageHeader title={TITLE} />
        <QueryState query={query} what="subscription" />
        <BackLink id={id} />
      </>
    );
  }
  if (!data) return <Progress label="Reading the subscription" />;
  return (
    <SubscriptionForm
      key={round}
      destinationId={id}
      version={data}
      readError={error}
      onReload={() => void readAgain()}
    />
  );
}

/** Returns the same text for the same sources. */
function textOf(types: readonly ChosenType[]): string {
  return JSON.stringify(sourcesOf(types).toSorted((one, other) => (one.type < other.type ? -1 : 1)));
}

interface SubscriptionFormProps {
  readonly destinationId: string;
  readonly version: Versioned<EventSubscription>;
  /** Why the present version could not be read. */
  readonly readError: Error | null;
  /** Reads the present version. The input is lost then. */
  readonly onReload: () => void;
}

function SubscriptionForm({ destinationId, version, readError, onReload }: SubscriptionFormProps) {
  // A later change of another person is refused by its version, and not overwritten.
  const [{ resource: subscription, etag }] = useState(version);
  const [stored] = useState(() => chosenOf(subscription.sources));
  const [types, setTypes] = useState(stored);
  const isSaved = useRef(false);
  const client = useQueryClient();
  const navigate = screen.useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request('PATCH', '/event_subscriptions/{id}', {
        path: { id: subscription.id },
        body: { sources: sourcesOf(types) },
        ...(etag !== undefined && { ifMatch: etag }),
      }),
    onSuccess: async () => {
      isSaved.current = true;
      await subscriptionsChanged(client);
      await navigate({ to: '/destinations/$id', params: { id: destinationId }, search: { tab: 'settings' } });
    },
  });
  const missing = missingInTypes(types);
  const others = subscription.destinations.filter(({ id }) => id !== destinationId).length;
  const isOutdated = error instanceof ProblemError && error.status === 412;
  return (
    <div className={ui.page}>
      <UnsavedQuestion isUnsaved={() => !isSaved.current && textOf(types) !== textOf(stored)} />
      <PageHeader title={TITLE} actions={<BackLink id={destinationId} />}>
        {subscription.description ?? 'Subscription'} · <code>{subscription.id}</code>
      </PageHeader>
      <div className={ui.parts}>
        <p>
          A subscription says which events its destinations receive. A change applies to the events from then on.
          {others > 0 &&
            ` It applies to ${others.toLocaleString('en')} other ${others === 1 ? 'destination' : 'destinations'} too.`}
        </p>
        <h2>Event types</h2>
        <TypeChooser types={types} onChange={setTypes} />
        {missing.length > 0 && (
          <ul aria-label="What is missing" className={ui.soft}>
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {error && <ProblemPanel error={error} title="The subscription was not saved" />}
        {isOutdated && (
          <div className={ui.line}>
            <Button onPress={onReload}>Read it again</Button>
            <span>Another change was saved since you opened it. Your input is lost when it is read again.</span>
          </div>
        )}
        {isOutdated && readError && <ProblemPanel error={readError} title="The subscription could not be read" />}
        <div className={ui.line}>
          <Button look="main" isDisabled={missing.length > 0} isBusy={isPending} onPress={() => mutate()}>
            Save the subscription
          </Button>
        </div>
      </div>
    </div>
  );
}

function BackLink({ id }: { readonly id: string }) {
  return (
    <Link to="/destinations/$id" params={{ id }} search={{ tab: 'settings' }}>
      Back to the destination
    </Link>
  );
}

export const screen = createLazyRoute('/signed-in/destinations/$id/subscriptions/$subscriptionId')({
  component: SubscriptionPage,
});
