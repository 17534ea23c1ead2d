import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { destinationQuery, type TestResult } from '../../api/destination.js';
import { subscriptionsToQuery } from '../../api/subscriptions.js';
import { draftOf, usesRole, type TargetDraft } from '../../api/target-draft.js';
import { useMay } from '../../app/session-context.js';
import { useStatusOf } from '../../app/status-of.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { TestPanel } from '../../components/test-panel.js';
import { CredentialsStep } from './credentials-step.js';
import { StepCard } from './step-card.js';
import { missingIn, type ChosenType, type Step } from './steps.js';
import { SubscriptionStep } from './subscription-step.js';
import { TargetStep } from './target-step.js';
import { TypesStep } from './types-step.js';
import styles from './new-destination.module.css';

const firstDraft: TargetDraft = { kind: 'data_stream', auth: 'role', values: {} };

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
  return <Steps />;
}

function Steps() {
  const { id } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { data, error, refetch } = useQuery({ ...destinationQuery(id ?? ''), enabled: id !== undefined });
  const { status } = useStatusOf(id);
  const [typed, setDraft] = useState(firstDraft);
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState<readonly ChosenType[]>([]);
  const [verdict, setVerdict] = useState<TestResult['verdict'] | undefined>(undefined);
  // The step whose heading gets the focus.
  const [next, setNext] = useState<Step | null>(null);
  const [createdSubscription, setSubscription] = useState<string | null>(null);
  // After a reload, the destination may have one already.
  const { data: subscriptions } = useQuery({ ...subscriptionsToQuery(id ?? ''), enabled: id !== undefined });
  const subscriptionId = createdSubscription ?? subscriptions?.[0]?.id ?? null;

  const destination = id === undefined ? null : (data?.destination ?? null);
  const draft = destination ? draftOf(destination.target) : typed;
  const missing = missingIn({ draft, destination, types, verdict, subscriptionId });

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
    <div className={styles.page}>
      <PageHeader title="Create a destination">
        A destination is where Waybill delivers events: a stream, a log group or a log intake of your cloud.
      </PageHeader>
      <ol className={styles.steps}>
        <StepCard step="target" missing={missing.target}>
          <TargetStep
            draft={draft}
            description={destination ? (destination.description ?? '') : description}
            isCreated={destination !== null}
            onDraft={setDraft}
            onDescription={setDescription}
          />
        </StepCard>
        <StepCard step="credentials" missing={missing.credentials} isNext={next === 'credentials'}>
          <CredentialsStep
            draft={draft}
            description={description}
            destination={destination}
            onDraft={setDraft}
            onCreated={(created) => {
              // What a role needs is shown in the same step.
              setNext(usesRole(draft) ? 'credentials' : 'types');
              void navigate({ search: { id: created }, replace: true, resetScroll: false });
            }}
          />
        </StepCard>
        <StepCard step="types" missing={missing.types} isNext={next === 'types'}>
          <TypesStep types={types} isDone={subscriptionId !== null} onChange={setTypes} />
        </StepCard>
        <StepCard step="test" missing={missing.test}>
          {destination ? (
            <TestPanel id={destination.id} status={status} onVerdict={setVerdict} />
          ) : (
            <p className={styles.soft}>
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
              setNext('subscription');
              setSubscription(created);
            }}
          />
        </StepCard>
      </ol>
    </div>
  );
}

export const screen = createLazyRoute('/signed-in/destinations/new')({ component: NewDestination });
