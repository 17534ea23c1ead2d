import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ExportsTable } from '../database/tables.js';
import { eventFilter } from '../events/log/event-filter.js';
import { exportManifest, type Export } from './export.js';
import { exportFormats } from './formats/export-format.js';

const storedFormat = z.enum(exportFormats);

/**
 * Returns the export of a row. Its file has expired when its time has come, also while no worker runs that removes it.
 */
export function toExport(row: Selectable<ExportsTable>): Export {
  const isOver = row.state === 'completed' && row.expires_at !== null && row.expires_at <= new Date();
  return {
    id: row.id,
    accountId: row.account_id,
    format: storedFormat.parse(row.format),
    filter: eventFilter.parse(row.filter),
    destinationId: row.destination_id,
    principalId: row.principal_id,
    credentialId: row.credential_id,
    operationId: row.operation_id,
    completeSince: row.complete_since,
    state: isOver ? 'expired' : row.state,
    attempt: row.attempt,
    storages: row.storages,
    beforeId: row.before_id,
    events: row.events,
    bytes: row.bytes,
    reachedAt: row.reached_at,
    manifest: row.manifest && exportManifest.parse(row.manifest),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}
