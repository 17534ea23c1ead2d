import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { RetainedKind } from '../database/partitions/retention-marks.js';
import type { ExportsTable } from '../database/tables.js';
import { deliveryViewStates } from '../destinations/deliveries/view/delivery-view.js';
import { eventFilter, type EventFilter } from '../events/log/event-filter.js';
import { exportFormats, type ExportFormat } from './formats/export-format.js';

const numberRange = z
  .object({
    epoch: z.int(),
    first: z.int(),
    last: z.int(),
    count: z.int().meta({
      description:
        'Less than the range has numbers where events of some are not in the file: the filter leaves them out, they were recorded later, or their deliveries were removed.',
    }),
  })
  .meta({ id: 'ExportSequenceRange' });

/** What the file of an export holds. */
export const exportManifest = z
  .object({
    export_id: z.string(),
    account_id: z.string(),
    format: z.enum(exportFormats),
    filter: eventFilter,
    destination_id: z.string().nullable(),
    created_at: z.iso.datetime().meta({
      description:
        'Every event that was committed before this time is included, as far as it was kept (`complete_since`).',
    }),
    completed_at: z.iso.datetime(),
    complete_since: z.iso.datetime().nullable().meta({
      description:
        'Events recorded before this time may be missing: the retention removed them, or their deliveries where there is a `destination_id`, before they were read. Null: none is missing.',
    }),
    file: z.object({
      name: z.string(),
      bytes: z.int(),
      sha256: z.string().meta({ description: 'SHA-256 of the file, in hexadecimal.' }),
    }),
    count: z.int().meta({ description: 'Number of events in the file.' }),
    time_range: z.object({ first: z.iso.datetime(), last: z.iso.datetime() }).meta({
      description: 'When the first and the last event of the file were recorded.',
    }),
    sequence_ranges: z.array(numberRange).nullable().meta({
      description: 'The numbers at the destination, by epoch. Null without `destination_id`.',
    }),
    states: z.partialRecord(z.enum(deliveryViewStates), z.int()).nullable().meta({
      description: 'Number of deliveries in each state when they were read. Null without `destination_id`.',
    }),
    erased: z.int().meta({ description: 'Number of events that match and were erased: the file does not have them.' }),
    projected: z.int().nullable().meta({
      description:
        'Number of lines with what `fields` of sources leave of the event, as the destination receives it. Null without `destination_id`.',
    }),
  })
  .meta({ id: 'ExportManifest' });
export type ExportManifest = z.infer<typeof exportManifest>;

/** A stored export. */
export interface Export extends Omit<Selectable<ExportsTable>, 'format' | 'filter' | 'manifest'> {
  readonly format: ExportFormat;
  readonly filter: EventFilter;
  /** Null before the file is complete. */
  readonly manifest: ExportManifest | null;
}

/** What of the retained data an export reads. @param destinationId null for an export of the account's events */
export function kindsReadBy(destinationId: string | null): readonly RetainedKind[] {
  return destinationId === null ? ['events'] : ['events', 'deliveries'];
}

type Requester = 'account_id' | 'principal_id' | 'credential_id' | 'operation_id';

/** A request for an export. */
export type NewExport = Pick<Export, Requester | 'format' | 'filter' | 'destination_id' | 'complete_since'>;

/** How far the file is written. */
export type ExportProgress = Pick<Export, 'events' | 'bytes' | 'reached_at'>;

/** Why an export has failed. */
export interface ExportError {
  readonly code: string;
  readonly message: string;
}

/** One attempt at an export: the process that has it may write, as long as no later attempt has begun. */
export type ExportAttempt = Pick<Export, 'id' | 'attempt' | 'format'>;

const storedFormat = z.enum(exportFormats);

/**
 * Returns the export of a row. Its file has expired when its time has come, also while no worker runs that removes it.
 */
export function toExport(row: Selectable<ExportsTable>): Export {
  const isOver = row.state === 'completed' && row.expires_at !== null && row.expires_at <= new Date();
  return {
    ...row,
    format: storedFormat.parse(row.format),
    filter: eventFilter.parse(row.filter),
    state: isOver ? 'expired' : row.state,
    manifest: row.manifest && exportManifest.parse(row.manifest),
  };
}

/** Returns the name of the file of an attempt: no two attempts share one, so two processes never write one file. */
export function fileOf({ id, attempt, format }: ExportAttempt): string {
  return `${id}.${attempt}.${format}`;
}

/** Returns the names of the files of the attempts up to one. */
export function filesUpTo(last: ExportAttempt): readonly string[] {
  return Array.from({ length: last.attempt }, (_, index) => fileOf({ ...last, attempt: index + 1 }));
}
