import { useState } from 'react';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button, IconButton } from '../../components/button.js';
import { bytesText } from '../../components/bytes.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';
import styles from './reconcile.module.css';

interface FileDropProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Takes the files of an export: dropped, or chosen. They are in the order of their names. */
export function FileDrop({ files, onChange }: FileDropProps) {
  const [fault, setFault] = useState<string | null>(null);
  const add = (more: readonly File[]): void => {
    const others = files.filter(({ name }) => more.every((one) => one.name !== name));
    onChange([...others, ...more].toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })));
  };
  return (
    <>
      <DropZone
        aria-label="Files from the target"
        className={`${ui.stack} ${styles.drop}`}
        getDropOperation={() => 'copy'}
        onDrop={({ items }) => {
          const dropped = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []));
          setFault(faultOf(items));
          void Promise.all(dropped).then(add);
        }}
      >
        <p>
          Drop the file from the target here: one event a line, as the target holds them. Several files and gzip are
          possible.
        </p>
        <FileTrigger
          allowsMultiple
          onSelect={(chosen) => {
            setFault(null);
            add([...(chosen ?? [])]);
          }}
        >
          <Button>Choose files</Button>
        </FileTrigger>
        <p className={ui.note}>They are read in this browser, and sent nowhere.</p>
      </DropZone>
      {fault !== null && (
        <p role="alert" className={ui.bad}>
          {fault}
        </p>
      )}
      {files.length > 0 && (
        <ul className={ui.line} aria-label="Chosen files">
          {files.map(({ name, size, lastModified }) => (
            <li key={name} className={ui.line}>
              <code>{name}</code> {bytesText(size)}, changed{' '}
              <Time at={new Date(lastModified).toISOString()} show="absolute" />
              <IconButton
                label={`Remove ${name}`}
                icon="close"
                onPress={() => onChange(files.filter((file) => file.name !== name))}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Returns what cannot be taken of what was dropped; null when all of it can. */
function faultOf(items: Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items']): string | null {
  const folders = items.flatMap((item) => (item.kind === 'directory' ? [item.name] : []));
  if (folders.length > 0) return `A folder cannot be read: ${folders.join(', ')}. Drop the files in it.`;
  return items.some(({ kind }) => kind === 'file') ? null : 'What was dropped is not a file.';
}
