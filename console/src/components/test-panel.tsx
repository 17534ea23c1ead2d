import { useMutation, useQuery } from '@tanstack/react-query';
import type { Delivery, EventDestinationStatus } from '@waybill/client';
import { useEffect } from 'react';
import { deliveryOfEventQuery, testDestination, type TestResult } from '../api/destination.js';
import { AttemptList } from './attempt-list.js';
import { Button } from './button.js';
import { ProblemPanel } from './problem-panel.js';
import { OutcomeBadge, StateBadge } from './state-badge.js';
import { Countdown, Since } from './time.js';
import ui from './ui.module.css';

interface TestPanelProps {
  readonly id: string;
  /** The present status; undefined while it is not known. */
  readonly status: EventDestinationStatus | undefined;
  /** Called with the verdict of each test: null while there is none. Must be the same function at each render. */
  readonly onVerdict?: (verdict: TestResult['verdict']) => void;
  /** Leads to the configuration; without it, the role may not change the destination. */
  readonly onRepair?: (() => void) | undefined;
}

/** Sends a test event, says what happens until then, and shows the verdict as soon as there is one. */
export function TestPanel({ id, status, onVerdict, onRepair }: TestPanelProps) {
  const {
    mutate,
    isPending,
    data: result,
    error,
    submittedAt,
  } = useMutation({ mutationFn: () => testDestination(id) });
  const eventId = result?.delivery.event_id ?? '';
  const { data: followed } = useQuery({
    ...deliveryOfEventQuery(eventId, id),
    enabled: result !== undefined && result.delivery.finished_at === null,
  });
  const delivery = followed ?? result?.delivery;
  // The verdict may come after the response to the test.
  const verdict = result && (delivery?.attempts.at(-1)?.outcome ?? result.verdict);
  useEffect(() => {
    if (verdict !== undefined) onVerdict?.(verdict);
  }, [verdict, onVerdict]);
  return (
    <div className={ui.stack}>
      <div className={ui.line}>
        <Button
          icon="play"
          look={verdict === 'delivered' ? 'plain' : 'main'}
          isDisabled={status?.status === 'paused'}
          isBusy={isPending}
          onPress={() => mutate()}
        >
          {result || error ? 'Test again' : 'Send a test event'}
        </Button>
        {status?.status === 'paused' && <span>The destination is paused: resume it before the test.</span>}
      </div>
      <div role="status" className={ui.result}>
        {isPending && <p>The test event is queued.</p>}
        {result && verdict !== undefined && (
          <p className={ui.line}>
            {verdict === null ? <strong>No verdict yet</strong> : <OutcomeBadge outcome={verdict} />}
            {verdict === result.verdict && <span>{result.message}</span>}
          </p>
        )}
      </div>
      {isPending && <Waiting since={submittedAt} status={status} />}
      {result && delivery && <AfterTest result={result} delivery={delivery} status={status ?? result.status} />}
      {onRepair && (verdict === 'misconfigured' || verdict === 'rejected') && (
        <div className={ui.line}>
          <Button onPress={onRepair}>Repair the configuration</Button>
        </div>
      )}
      {error && <ProblemPanel error={error} title="The destination was not tested" onRetry={() => mutate()} />}
    </div>
  );
}

function Waiting({ since, status }: { readonly since: number; readonly status: EventDestinationStatus | undefined }) {
  return (
    <p>
      Waiting for the verdict since <Since at={new Date(since).toISOString()} />, for at most 15 s.
      {status !== undefined && status.pending > 1 && ` ${status.pending.toLocaleString('en')} events wait with it.`}
    </p>
  );
}

interface AfterTestProps {
  readonly result: TestResult;
  /** The delivery of the test event as it is now. */
  readonly delivery: Delivery;
  /** The present status of the destination. */
  readonly status: Pick<EventDestinationStatus, 'next_attempt_at'>;
}

/** The outcome of the test event after the response, and its attempts. */
function AfterTest({ result, delivery, status }: AfterTestProps) {
  const isOpen = delivery.finished_at === null;
  const { ahead, ahead_is_lower_bound: more } = result;
  // The batch of the event is claimed while the destination waits for its next attempt.
  const waits = isOpen && status.next_attempt_at !== null;
  return (
    <>
      {result.delivery.finished_at === null && (
        <p className={ui.line}>
          The test event now: <StateBadge state={waits ? 'pending' : delivery.state} />
          {isOpen && ahead > 0 && (
            <span>
              {ahead.toLocaleString('en')}
              {more && '+'} events were before it.
            </span>
          )}
          {isOpen && status.next_attempt_at !== null && (
            <span>
              Next attempt <Countdown to={status.next_attempt_at} />
            </span>
          )}
        </p>
      )}
      {delivery.attempt_count > 0 && (
        <details>
          <summary>What the target responded</summary>
          <AttemptList attempts={delivery.attempts} total={delivery.attempt_count} />
        </details>
      )}
    </>
  );
}
