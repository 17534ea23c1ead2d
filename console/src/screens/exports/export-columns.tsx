import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Export } from '@waybill/client';
import { useState } from 'react';
import { EXPORTS_KEY, isUnderWay } from '../../api/exports.js';
import { request } from '../../api/request.js';
import { useMay, useSession } from '../../app/session-context.js';
import { Button } from '../../components/button.js';
import { bytesText } from '../../components/bytes.js';
import { CopyButton } from '../../components/copy-button.js';
import type { DataColumn } from '../../components/data-table.js';
import { ExportDownload, ExportProgress } from '../../components/export-run.js';
import { FilterWords } from '../../components/filter-words.js';
import { FormDialog } from '../../components/form-dialog.js';
import { NameOf } from '../../components/name-of.js';
import { ExportStateBadge } from '../../components/state-badge.js';
import { Time } from '../../components/time.js';
import ui from '../../components/ui.module.css';

/** The columns of the exports. */
export const exportColumns: readonly DataColumn<Export>[] = [
  {
    id: 'created',
    header: 'Created',
    width: 'minmax(13.75rem, 1fr)',
    cell: ({ id, created_at: at, requested_by: by }) => (
      <>
        <Time at={at} show="both" />
        <div className={ui.note}>
          <code>{id}</code>
          <span className={ui.cut} title={`${by.principal_id} with the key ${by.credential_id ?? 'none'}`}>
            by <NameOf id={by.principal_id} or={by.principal_id} />
            {by.credential_id !== null && (
              <>
                , key <NameOf id={by.credential_id} or={by.credential_id} />
              </>
            )}
          </span>
        </div>
      </>
    ),
  },
  {
    id: 'filter',
    header: 'Events',
    width: 'minmax(10rem, 2fr)',
    wide: true,
    cell: ({ filter, destination_id: destination, format }) => (
      <>
        {destination !== null && (
          <div>
            Every delivery, in any state, to{' '}
            <Link to="/destinations/$id" params={{ id: destination }} search={{}} className={ui.cut}>
              <NameOf id={destination} or={destination} />
            </Link>
          </div>
        )}
        {(destination === null || Object.keys(filter).length > 0) && <FilterWords filter={filter} />}
        <div className={ui.note}>
          {format === 'csv' ? 'CSV' : 'NDJSON'}
          {destination === null && (
            <>
              {' · '}
              <Link to="/events" search={filter}>
                Search the same events
              </Link>
            </>
          )}
        </div>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(10rem, 2fr)',
    wide: true,
    cell: (one) => <State one={one} />,
  },
  {
    id: 'actions',
    header: 'File',
    width: '24.5rem',
    wide: true,
    cell: (one) => <Actions one={one} />,
  },
];

function State({ one }: { readonly one: Export }) {
  const { state, error, manifest, expires_at: expires } = one;
  return (
    <>
      <ExportStateBadge state={state} />
      {error && (
        <div className={ui.bad}>
          {error.message} <code>{error.code}</code>
        </div>
      )}
      {manifest && (
        <div className={ui.note}>
          {manifest.count.toLocaleString('en')} {manifest.count === 1 ? 'event' : 'events'},{' '}
          {bytesText(manifest.file.bytes)}, from <Time at={manifest.time_range.first} show="absolute" /> to{' '}
          <Time at={manifest.time_range.last} show="absolute" />
        </div>
      )}
      {state === 'completed' && expires !== null && (
        <div className={ui.note}>
          The file is removed <Time at={expires} />
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
    <div className={ui.line}>
      {mayExport && isUnderWay(one) && <ExportProgress one={one} mayCancel={mayEnd} />}
      {mayExport && <ExportDownload one={one} />}
      {one.manifest && <CopyButton text={one.manifest.file.sha256} label="Copy SHA-256" />}
      {mayEnd && <DeleteExport one={one} />}
    </div>
  );
}

/** The button that deletes an export, with its question. */
function DeleteExport({ one }: { readonly one: Export }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { id } = one;
  return (
    <>
      <Button aria-label={`Delete the export ${id}`} onPress={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <FormDialog
          isQuestion
          isDangerous
          title="Delete the export"
          submitLabel="Delete"
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            await request('DELETE', '/exports/{id}', { path: { id } });
            await client.invalidateQueries({ queryKey: [EXPORTS_KEY, 'list'] });
          }}
        >
          <p>
            The export <code>{id}</code> and its file
            {one.manifest && (
              <>
                {' '}
                <code>{one.manifest.file.name}</code>
              </>
            )}{' '}
            are removed{isUnderWay(one) && ', and the writing of it ends'}. The events stay.
          </p>
        </FormDialog>
      )}
    </>
  );
}
