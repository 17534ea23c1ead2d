import { useMutation, useQuery } from '@tanstack/react-query';
import type { EventDestinationStatus } from '@waybill/client';
import { deliveryOfEventQuery, testDestination, type TestResult } from '../api/destination.js';
import { AttemptList } from './attempt-list.js';
import { Button } from './button.js';
import { OutcomeBadge } from './outcome-badge.js';
import { ProblemPanel } from './problem-panel.js';
import { StateBadge } from './state-badge.js';
import { Countdown, Since } from './time.js';
import styles from './test-panel.module.css';

/** Properties of `TestPanel`. */
export interface TestPanelProps {
  readonly id: string;
  /** The present status; undefined while it is not known. */
  readonly status: EventDestinationStatus | undefined;
  /** Called with the verdict of each test. */
  readonly onVerdict?: (verdict: TestResult['verdict']) => void;
}

/** Sends a test event, says what happens while the vendor has not responded, and shows the verdict. */
export function TestPanel({ id, status, onVerdict }: TestPanelProps) {
  const { mutate, isPending, data, error, submittedAt } = useMutation({
    mutationFn: () => testDestination(id),
    onSuccess: ({ verdict }) => onVerdict?.(verdict),
  });
  return (
    <div className={styles.panel}>
      <div className={styles.line}>
        <Button
          icon="play"
          look={data?.verdict === 'delivered' ? 'plain' : 'main'}
          isDisabled={isPending || status?.status === 'paused'}
          onPress={() => mutate()}
        >
          {data || error ? 'Test again' : 'Send a test event'}
        </Button>
        {status?.status === 'paused' && <span>The destination is paused: resume it before the test.</span>}
      </div>
      <div role="status" className={styles.result}>
        {isPending && <p>The test event is on its way.</p>}
        {data && !isPending && <Verdict result={data} />}
      </div>
      {isPending && <Waiting since={submittedAt} status={status} />}
      {data && !isPending && <AfterTest result={data} id={id} />}
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

function Verdict({ result: { verdict, message } }: { readonly result: TestResult }) {
  return (
    <p className={styles.line}>
      {verdict === null ? <strong>No verdict yet</strong> : <OutcomeBadge outcome={verdict} />}
      <span>{message}</span>
    </p>
  );
}

/** What became of the test event since the verdict. */
function AfterTest({ result, id }: { readonly result: TestResult; readonly id: string }) {
  const isOpen = result.delivery.finished_at === null;
  const { data } = useQuery({ ...deliveryOfEventQuery(result.delivery.event_id, id), enabled: isOpen });
  const delivery = data ?? result.delivery;
  return (
    <>
      {isOpen && (
        <p className={styles.line}>
          The test event now: <StateBadge state={delivery.state} />
          {delivery.finished_at === null && result.ahead > 0 && (
            <span>
              {result.ahead.toLocaleString('en')}
              {result.ahead_is_lower_bound && '+'} events were before it.
            </span>
          )}
          {delivery.finished_at === null && result.status.next_attempt_at !== null && (
            <span>
              Next try <Countdown to={result.status.next_attempt_at} />
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
