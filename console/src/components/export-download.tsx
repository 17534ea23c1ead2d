import { useMutation } from '@tanstack/react-query';
import type { Export } from '@waybill/client';
import { useRef, useState } from 'react';
import { download, saveFile } from '../api/download.js';
import { Button } from './button.js';
import { bytesText } from './bytes.js';
import { ProblemPanel } from './problem-panel.js';
import { Progress } from './progress.js';
import styles from './export-run.module.css';

/** Properties of `ExportDownload`. */
export interface ExportDownloadProps {
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
      <div className={styles.line}>
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
