import { Link } from '@tanstack/react-router';
import type { Export } from '@waybill/client';
import { isUnderWay } from '../../api/exports.js';
import { useMay, useSession } from '../../app/session-context.js';
import { bytesText } from '../../components/bytes.js';
import { CopyButton } from '../../components/copy-button.js';
import { DataTable, idOf, type DataColumn } from '../../components/data-table.js';
import { ExportDownload } from '../../components/export-download.js';
import { ExportProgress } from '../../components/export-run.js';
import { ExportStateBadge } from '../../components/export-state.js';
import { FilterWords } from '../../components/filter-words.js';
import { NameOf } from '../../components/name-of.js';
import { Time } from '../../components/time.js';
import { DeleteExport } from './delete-export.js';
import styles from './exports.module.css';

const columns: readonly DataColumn<Export>[] = [
  {
    id: 'created',
    header: 'Created',
    width: 'minmax(12rem, 1fr)',
    cell: ({ id, created_at: at, requested_by: by }) => (
      <>
        <Time at={at} show="both" />
        <div className={styles.second}>
          <code>{id}</code>
          <br />
          by <NameOf id={by.principal_id} /> <code>{by.principal_id}</code>
          {by.credential_id !== null && (
            <>
              <br />
              key <NameOf id={by.credential_id} /> <code>{by.credential_id}</code>
            </>
          )}
        </div>
      </>
    ),
  },
  {
    id: 'filter',
    header: 'Events',
    width: 'minmax(14rem, 2fr)',
    wide: true,
    cell: ({ filter, destination_id: destination, format }) => (
      <>
        <FilterWords filter={filter} />
        {destination !== null && (
          <div>
            With each delivery, in any state, to{' '}
            <Link to="/destinations/$id" params={{ id: destination }} search={{}}>
              <code>{destination}</code>
            </Link>
          </div>
        )}
        <div className={styles.second}>
          {format === 'csv' ? 'CSV' : 'NDJSON'} ·{' '}
          <Link to="/events" search={filter}>
            Search the same events
          </Link>
        </div>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(14rem, 2fr)',
    wide: true,
    cell: (one) => <State one={one} />,
  },
  {
    id: 'actions',
    header: 'File',
    width: 'minmax(15rem, 1fr)',
    wide: true,
    cell: (one) => <Actions one={one} />,
  },
];

/** Properties of `ExportTable`. */
export interface ExportTableProps {
  readonly exports: readonly Export[];
  readonly onEndReached: () => void;
}

/** The exports of the account, newest first. */
export function ExportTable({ exports, onEndReached }: ExportTableProps) {
  return (
    <DataTable
      label="Exports"
      rows={exports}
      columns={columns}
      rowId={idOf}
      rowTone={({ state }) => (state === 'failed' ? 'bad' : isUnderWay({ state }) ? 'calm' : undefined)}
      estimatedHeight={120}
      onEndReached={onEndReached}
    />
  );
}

function State({ one }: { readonly one: Export }) {
  const { state, error, manifest, expires_at: expires } = one;
  return (
    <>
      <ExportStateBadge state={state} />
      {error && (
        <div className={styles.reason}>
          {error.message} <code>{error.code}</code>
        </div>
      )}
      {manifest && (
        <div className={styles.second}>
          {manifest.count.toLocaleString('en')} {manifest.count === 1 ? 'event' : 'events'},{' '}
          {bytesText(manifest.file.bytes)}, from <Time at={manifest.time_range.first} show="absolute" /> to{' '}
          <Time at={manifest.time_range.last} show="absolute" />
        </div>
      )}
      {state === 'completed' && expires !== null && (
        <div className={styles.second}>
          The file is removed <Time at={expires} show="both" />
        </div>
      )}
    </>
  );
}

function Actions({ one }: { readonly one: Export }) {
  const mayExport = useMay('export');
  const { role, principal } = useSession();
  // As the API decides: docs/exports.md.
  const mayEnd = mayExport && (role === 'admin' || one.requested_by.principal_id === principal.id);
  return (
    <div className={styles.actions}>
      {mayExport && isUnderWay(one) && <ExportProgress one={one} mayCancel={mayEnd} />}
      {mayExport && <ExportDownload one={one} />}
      {one.manifest && <CopyButton text={one.manifest.file.sha256} label="Copy SHA-256" withLabel />}
      {mayEnd && <DeleteExport one={one} />}
    </div>
  );
}
