import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { chosenOf } from '../../api/chosen-types.js';
import { destinationCreated, destinationQuery, type TestResult } from '../../api/destination.js';
import { request } from '../../api/request.js';
import { subscriptionsToQuery } from '../../api/subscriptions.js';
import type { TargetKind } from '../../api/target-kinds.js';
import { useMay, useSession } from '../../app/session-context.js';
import { useStatusOf } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { useIdempotencyKey } from '../../components/idempotency-key.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { draftOf, inputOf, type TargetDraft } from '../../components/target/draft.js';
import { refusedValues } from '../../components/target/fields.js';
import { usesRole } from '../../components/target/role.js';
import { WithTargetKinds } from '../../components/target/target-kinds.js';
import { TestPanel } from '../../components/test-panel.js';
import { CredentialsStep } from './credentials-step.js';
import { forgetInput, keepInput, keptInput, noInput } from './kept-input.js';
import { StepCard } from './step-card.js';
import { faultsBeforeCreation, missingIn, type Step } from './steps.js';
import { SubscriptionStep } from './subscription-step.js';
import { TargetStep } from './target-step.js';
import { TypesStep } from './types-step.js';
import ui from '../../components/ui.module.css';

/** Creates a destination step by step. Each step says what it still needs. */
function NewDestination() {
  const mayChange = useMay('change');
  if (!mayChange) {
    return (
      <>
        <PageHeader title="Create a destination" />
        <EmptyState title="Your role cannot create a destination" actions={<Link to="/">All destinations</Link>}>
          Ask a person whose key has the role admin.
        </EmptyState>
      </>
    );
  }
  return <WithTargetKinds>{(kinds) => <Creation kinds={kinds} />}</WithTargetKinds>;
}

/** The steps for the destination of the address. A new one begins with what this tab has kept. */
function Creation({ kinds }: Pick<StepsProps, 'kinds'>) {
  const { id } = screen.useSearch();
  // The step whose heading gets the focus.
  const [next, setNext] = useState<Step | null>(null);
  // Counts how often the person cleared the input.
  const [round, setRound] = useState(0);
  return (
    <Steps
      key={`${id ?? 'new'} ${round}`}
      kinds={kinds}
      next={next}
      onNext={setNext}
      onClear={() => {
        setNext('target');
        setRound((before) => before + 1);
      }}
    />
  );
}

interface StepsProps {
  readonly kinds: readonly TargetKind[];
  readonly next: Step | null;
  readonly onNext: (step: Step) => void;
  /** The input was forgotten. */
  readonly onClear: () => void;
}

function Steps({ kinds, next, onNext, onClear }: StepsProps) {
  const { id } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { data, error, refetch } = useQuery({ ...destinationQuery(id ?? ''), enabled: id !== undefined });
  const { status } = useStatusOf(id);
  const session = useSession();
  const [blank] = useState(() => noInput(kinds));
  const [kept] = useState(() => keptInput(session, id, kinds));
  const [input, setInput] = useState(kept ?? blank);
  const { draft: typed, description, types, tested } = input;
  const client = useQueryClient();
  // The button may be pressed before it is shown as busy, and after the response until the next page.
  const isSent = useRef(false);
  const keyOf = useIdempotencyKey();
  const create = useMutation({
    mutationFn: () => {
      const body = {
        ...(description.trim() !== '' && { description: description.trim() }),
        target: inputOf(typed),
      };
      return request('POST', '/event_destinations', { body, idempotencyKey: keyOf(body) });
    },
    onSuccess: (created) => {
      destinationCreated(client, created);
      keepInput(session, created.id, { ...blank, types });
      forgetInput(session, undefined);
      // What a role needs is shown in the same step.
      onNext(usesRole(typed) ? 'credentials' : 'types');
      void navigate({ search: { id: created.id }, replace: true, resetScroll: false });
    },
    onError: () => {
      isSent.current = false;
    },
  });
  const setDraft = (draft: TargetDraft): void => {
    if (create.error) create.reset();
    setInput((before) => ({ ...before, draft }));
  };
  const setVerdict = useCallback(
    (verdict: TestResult['verdict']) => {
      const etag = client.getQueryData(destinationQuery(id ?? '').queryKey)?.etag;
      setInput((before) => ({ ...before, tested: { verdict, etag } }));
    },
    [client, id],
  );
  const [createdSubscription, setSubscription] = useState<string | null>(null);
  // After a reload, the destination may have one already.
  const { data: subscriptions } = useQuery({ ...subscriptionsToQuery(id ?? ''), enabled: id !== undefined });
  const subscription = subscriptions?.find((one) => one.id === createdSubscription) ?? subscriptions?.[0];
  const subscriptionId = createdSubscription ?? subscription?.id ?? null;
  const isComplete = subscriptionId !== null;
  useEffect(() => {
    if (isComplete) forgetInput(session, id);
    else if (input !== blank) keepInput(session, id, input);
  }, [session, id, input, blank, isComplete]);

  const destination = id === undefined ? null : (data?.resource ?? null);
  const draft = destination ? draftOf(kinds, destination.target) : typed;
  // A verdict on another version says nothing about this one.
  const verdict = tested?.etag === undefined || tested.etag === data?.etag ? tested?.verdict : 'outdated';
  const refused = refusedValues(create.error, draft.kind.kind);
  const missing = missingIn({ draft, description, destination, types, verdict, subscriptionId });

  if (id !== undefined && error && !data) {
    return (
      <>
        <PageHeader title="Create a destination" />
        <ProblemPanel error={error} title="The destination could not be read" onRetry={() => void refetch()} />
      </>
    );
  }
  if (id !== undefined && destination === null) return <Progress label="Reading the destination" />;
  return (
    <div className={ui.page}>
      <PageHeader
        title="Create a destination"
        actions={
          input !== blank &&
          id === undefined && (
            <Button
              onPress={() => {
                forgetInput(session, undefined);
                onClear();
              }}
            >
              Clear the input
            </Button>
          )
        }
      >
        A destination is where Waybill delivers events: a stream, a log group or a log intake of your cloud.
      </PageHeader>
      <ol className={ui.parts}>
        <StepCard step="target" missing={missing.target} isNext={next === 'target'}>
          <TargetStep
            kinds={kinds}
            draft={draft}
            description={destination ? (destination.description ?? '') : description}
            isCreated={destination !== null}
            refused={refused}
            onDraft={setDraft}
            onDescription={(text) => setInput((before) => ({ ...before, description: text }))}
          />
        </StepCard>
        <StepCard step="credentials" missing={missing.credentials} isNext={next === 'credentials'}>
          <CredentialsStep
            draft={draft}
            destination={destination}
            wasKept={kept !== null}
            refused={refused}
            onDraft={setDraft}
            creation={{
              isReady: faultsBeforeCreation(draft, description).length === 0,
              isPending: create.isPending || create.isSuccess,
              error: create.error,
              mutate: () => {
                if (!isSent.current) create.mutate();
                isSent.current = true;
              },
            }}
          />
        </StepCard>
        <StepCard step="types" missing={missing.types} isNext={next === 'types'}>
          <TypesStep
            types={subscription ? chosenOf(subscription.sources) : types}
            made={destination && subscriptionId !== null ? { id: destination.id, subscriptionId } : null}
            onChange={(change) => setInput((before) => ({ ...before, types: change(before.types) }))}
          />
        </StepCard>
        <StepCard step="test" missing={missing.test}>
          {destination ? (
            <TestPanel
              id={destination.id}
              status={status}
              onVerdict={setVerdict}
              onRepair={() =>
                void navigate({
                  to: '/destinations/$id',
                  params: { id: destination.id },
                  search: { tab: 'settings', edit: 'target' },
                })
              }
            />
          ) : (
            <p className={ui.soft}>
              A test event goes to the target as every event does, and the verdict of the target is shown here.
            </p>
          )}
        </StepCard>
        <StepCard step="subscription" missing={missing.subscription} isNext={next === 'subscription'}>
          <SubscriptionStep
            destination={destination}
            types={types}
            verdict={verdict}
            missing={missing.types}
            subscriptionId={subscriptionId}
            onCreated={(created) => {
              onNext('subscription');
              setSubscription(created);
            }}
          />
        </StepCard>
      </ol>
    </div>
  );
}

export const screen = createLazyRoute('/signed-in/destinations/new')({ component: NewDestination });
