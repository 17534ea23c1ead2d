import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Export } from '@waybill/client';
import { useRef, useState } from 'react';
import { download, saveFile } from '../api/download.js';
import { exportQuery, EXPORTS_KEY, isUnderWay } from '../api/exports.js';
import { request } from '../api/request.js';
import { Button } from './button.js';
import { bytesText } from './bytes.js';
import { CopyButton } from './copy-button.js';
import { Fact, Facts } from './facts.js';
import { ProblemPanel } from './problem-panel.js';
import { Progress } from './progress.js';
import { QueryState } from './query-state.js';
import { ExportStateBadge } from './state-badge.js';
import { Time } from './time.js';
import ui from './ui.module.css';

/** An export while it is written and when it is finished: progress, cancel, the file and its manifest. */
export function ExportRun({ id }: { readonly id: string }) {
  const query = useQuery(exportQuery(id));
  const { data: one } = query;
  if (!one) return <QueryState query={query} what="export" />;
  return (
    <div className={ui.stack}>
      <p role="status">
        <ExportStateBadge state={one.state} />
      </p>
      {isUnderWay(one) && <ExportProgress one={one} mayCancel />}
      {one.error && (
        <p className={ui.bad}>
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
      <div className={ui.line}>
        <Progress label={state === 'pending' ? 'Waits to be written' : 'Writing events'} done={progress.events} />
        {mayCancel && (
          <Button isBusy={isPending} onPress={() => mutate()}>
            Cancel the export
          </Button>
        )}
      </div>
      {progress.reached_at !== null && (
        <p className={ui.note}>
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
    <Facts wide>
      <Fact name="Events">
        {count.toLocaleString('en')} in {bytesText(file.bytes)}
      </Fact>
      <Fact name="Recorded">
        <Time at={range.first} show="absolute" /> to <Time at={range.last} show="absolute" />
      </Fact>
      <Fact name="SHA-256">
        <code>{file.sha256}</code>
        <CopyButton text={file.sha256} label="Copy the SHA-256" />
      </Fact>
      {since !== null && (
        <Fact name="Complete since">
          <Time at={since} show="absolute" />: earlier events may be missing
        </Fact>
      )}
    </Facts>
  );
}

interface ExportDownloadProps {
  /** A completed export. */
  readonly one: Export;
  readonly look?: 'main' | 'plain';
}

/** The buttons that download the file of an export, with its progress, and its manifest. Nothing without a file. */
export function ExportDownload({ one, look = 'plain' }: ExportDownloadProps) {
  const [arrived, setArrived] = useState(0);
  const control = useRef<AbortController>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async ({ id, name }: { readonly id: string; readonly name: string }) => {
      control.current = new AbortController();
      const { signal } = control.current;
      saveFile(await download('/exports/{id}/download', { id }, signal, setArrived), name);
    },
  });
  const file = one.manifest?.file;
  if (one.state !== 'completed' || file === undefined) return null;
  if (isPending) {
    return (
      <div className={ui.line}>
        <Progress label={`Downloading ${bytesText(file.bytes)}`} done={arrived} total={file.bytes} />
        <Button onPress={() => control.current?.abort()}>Stop the download</Button>
      </div>
    );
  }
  const wasStopped = control.current?.signal.aborted === true;
  return (
    <>
      <Button
        look={look}
        icon="exports"
        aria-label={`Download ${file.name}`}
        onPress={() => {
          setArrived(0);
          mutate({ id: one.id, name: file.name });
        }}
      >
        Download
      </Button>
      <Button aria-label={`Manifest of ${file.name}`} onPress={() => saveManifest(one)}>
        Manifest
      </Button>
      {error && !wasStopped && <ProblemPanel error={error} title="The file was not downloaded" onRetry={reset} />}
    </>
  );
}

/** Saves the manifest of a file as JSON: what was exported, by whom and when, and the SHA-256 of the file. */
function saveManifest({ manifest, requested_by: by }: Export): void {
  if (manifest === null) return;
  const text = `${JSON.stringify({ ...manifest, requested_by: by }, null, 2)}\n`;
  saveFile(new Blob([text], { type: 'application/json' }), `${manifest.file.name}.manifest.json`);
}
