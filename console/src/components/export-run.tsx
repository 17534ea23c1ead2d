import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Export } from '@waybill/client';
import { exportQuery, EXPORTS_KEY, isUnderWay } from '../api/exports.js';
import { request } from '../api/request.js';
import { Button } from './button.js';
import { bytesText } from './bytes.js';
import { CopyButton } from './copy-button.js';
import { ExportDownload } from './export-download.js';
import { ExportStateBadge } from './export-state.js';
import { ProblemPanel } from './problem-panel.js';
import { Progress } from './progress.js';
import { Time } from './time.js';
import styles from './export-run.module.css';

/** An export while it is written and when it is finished: progress, cancel, the file and what proves it. */
export function ExportRun({ id }: { readonly id: string }) {
  const { data: one, error, refetch } = useQuery(exportQuery(id));
  if (error && !one) {
    return <ProblemPanel error={error} title="The export could not be read" onRetry={() => void refetch()} />;
  }
  if (!one) return <Progress label="Reading the export" />;
  return (
    <div className={styles.run}>
      <p role="status">
        <ExportStateBadge state={one.state} />
      </p>
      {isUnderWay(one) && <ExportProgress one={one} mayCancel />}
      {one.error && (
        <p className={styles.error}>
          {one.error.message} (<code>{one.error.code}</code>)
        </p>
      )}
      {one.manifest && <ManifestFacts manifest={one.manifest} />}
      <ExportDownload one={one} look="main" />
    </div>
  );
}

/** How far an export has come, and the button that ends it where the session may. */
export function ExportProgress({ one, mayCancel }: { readonly one: Export; readonly mayCancel: boolean }) {
  const client = useQueryClient();
  const { id, progress, state } = one;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => request('POST', '/exports/{id}/cancel', { path: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [EXPORTS_KEY] }),
  });
  return (
    <>
      <div className={styles.line}>
        <Progress label={state === 'pending' ? 'Waits to be written' : 'Writing events'} done={progress.events} />
        {mayCancel && (
          <Button isBusy={isPending} onPress={() => mutate()}>
            Cancel the export
          </Button>
        )}
      </div>
      {progress.reached_at !== null && (
        <p className={styles.soft}>
          {bytesText(progress.bytes)}, up to <Time at={progress.reached_at} show="absolute" />
        </p>
      )}
      {error && <ProblemPanel error={error} title="The export was not cancelled" />}
    </>
  );
}

/** What the manifest of a file says. */
function ManifestFacts({ manifest }: { readonly manifest: NonNullable<Export['manifest']> }) {
  const { count, file, time_range: range, complete_since: since } = manifest;
  return (
    <dl className={styles.facts}>
      <dt>Events</dt>
      <dd>
        {count.toLocaleString('en')} in {bytesText(file.bytes)}
      </dd>
      <dt>Recorded</dt>
      <dd>
        <Time at={range.first} show="absolute" /> to <Time at={range.last} show="absolute" />
      </dd>
      <dt>SHA-256</dt>
      <dd>
        <code>{file.sha256}</code>
        <CopyButton text={file.sha256} label="Copy the SHA-256" />
      </dd>
      {since !== null && (
        <>
          <dt>Complete since</dt>
          <dd>
            <Time at={since} show="absolute" />: earlier events may be missing
          </dd>
        </>
      )}
    </dl>
  );
}
