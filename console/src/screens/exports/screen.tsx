import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { exportsQuery, isUnderWay } from '../../api/exports.js';
import { DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHeader } from '../../components/page-header.js';
import { QueryState } from '../../components/query-state.js';
import { exportColumns } from './export-columns.js';

/** The exports of the account: what each file has, and how far those are that are being written. */
function Exports() {
  const query = useInfiniteQuery(exportsQuery);
  const { data, error, fetchNextPage, hasNextPage, isFetching } = query;
  const exports = useMemo(() => data?.pages.flatMap((page) => page.exports), [data]);
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const toEvents = <Link to="/events">Search events</Link>;
  return (
    <>
      <PageHeader title="Exports" actions={toEvents}>
        <p>
          Events in files. The manifest of each says what was exported and has the SHA-256 of the file. It is not
          signed. Files are removed after their retention.
        </p>
      </PageHeader>
      <QueryState query={query} what="exports" />
      {exports?.length === 0 && (
        <EmptyState title="No export yet" actions={toEvents}>
          Search the events that you need, then choose Export there. The file appears here while it is written.
        </EmptyState>
      )}
      {exports !== undefined && exports.length > 0 && (
        <DataTable
          label="Exports"
          rows={exports}
          columns={exportColumns}
          rowTone={({ state }) => (state === 'failed' ? 'bad' : isUnderWay({ state }) ? 'calm' : undefined)}
          estimatedHeight={120}
          onEndReached={readOn}
        />
      )}
    </>
  );
}

export const screen = createLazyRoute('/signed-in/exports')({ component: Exports });
