import { useMutation } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { comparedBy, type ExportProgress, stallNotice } from '@waybill/reconcile';
import { useCallback, useEffect, useRef, useState } from 'react';
import { request } from '../../api/request.js';
import { useSession } from '../../app/session-context.js';
import { useStatuses } from '../../app/status-stream-context.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Progress } from '../../components/progress.js';
import { compare } from './comparison.js';
import type { ComparisonInput, ComparisonProgress } from './messages.js';
import type { Comparison } from './report-files.js';
import { Result } from './result.js';
import { Setup } from './setup.js';
import ui from '../../components/ui.module.css';

/** Compares an export of a destination with what Waybill reports, number by number. */
function Reconcile() {
  const { destination } = screen.useSearch();
  const navigate = screen.useNavigate();
  const { statuses } = useStatuses();
  const session = useSession();
  const [progress, setProgress] = useState<ComparisonProgress | null>(null);
  const control = useRef<AbortController | null>(null);
  const { data, mutate, isPending, error, reset } = useMutation({
    mutationFn: async (input: ComparisonInput): Promise<Comparison> => {
      control.current = new AbortController();
      const { signal } = control.current;
      setProgress(null);
      const { id, description, target } = await request('GET', '/event_destinations/{id}', {
        path: { id: input.destination },
        signal,
      });
      const { found, files } = await compare(input, signal, setProgress);
      const evidence = {
        instance_url: window.location.origin,
        account_id: session.account_id,
        destination: { id, description, target: { ...target } },
        compared_by: comparedBy(session),
        compared_at: new Date().toISOString(),
        exported_at: input.exportedAt,
        files,
      };
      return { evidence, found };
    },
  });
  // A verdict is one on the destination and the files that are chosen: another choice takes it away.
  const forget = useCallback(() => {
    control.current?.abort();
    reset();
  }, [reset]);
  useEffect(() => forget, [destination, forget]);
  const wasStopped = control.current?.signal.aborted === true;
  return (
    <>
      <PageHeader title="Reconcile">
        <p>
          Was anything lost or altered? Compares a file from the target with every sequence that Waybill gave to its
          events, and with the content that it delivered. Only what the file holds counts as arrived.
        </p>
      </PageHeader>
      <div className={ui.parts}>
        {statuses?.length === 0 ? (
          <EmptyState title="No destination yet">
            A reconciliation compares the events that a destination has received. The account has no destination.
          </EmptyState>
        ) : (
          <Setup
            statuses={statuses}
            destination={destination}
            onDestination={(id) => void navigate({ search: { destination: id }, replace: true })}
            isBusy={isPending}
            onInput={forget}
            onCompare={mutate}
          />
        )}
        {isPending && (
          <div className={ui.line}>
            <ComparisonState progress={progress} />
            <Button onPress={() => control.current?.abort()}>Stop the comparison</Button>
          </div>
        )}
        {error && !wasStopped && <ProblemPanel error={error} title="The comparison failed" />}
        {error && wasStopped && <p role="status">The comparison was stopped.</p>}
        {data && !isPending && <Result comparison={data} />}
      </div>
    </>
  );
}

function ComparisonState({ progress }: { readonly progress: ComparisonProgress | null }) {
  if (progress === null) return <Progress label="Beginning" />;
  switch (progress.kind) {
    case 'reading':
      return (
        <Progress label="Reading the file from the target, in bytes" done={progress.done} total={progress.total} />
      );
    case 'comparing':
      return <Progress label="Reading what Waybill reports, in deliveries" done={progress.deliveries} />;
    case 'exporting':
      return (
        <div>
          <Progress label={exportSteps[progress.step]} done={progress.done} total={progress.total} />
          {progress.step !== 'downloading' && <p role="status">{stallNotice(progress)}</p>}
        </div>
      );
  }
}

const exportSteps: Readonly<Record<ExportProgress['step'], string>> = {
  waiting: "Waybill's own export waits for a worker",
  writing: 'Waybill writes its own export, in events',
  downloading: "Comparing the content with Waybill's own export, in bytes",
};

export const screen = createLazyRoute('/signed-in/reconcile')({ component: Reconcile });
