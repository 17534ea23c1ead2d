import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { eventFilter } from '../../events/log/event-filter.js';
import { exportManifest, type Export } from '../export.js';
import { exportFormats } from '../formats/export-format.js';

/** `format` of an export. */
export const exportFormat = z.enum(exportFormats).meta({
  description:
    '`ndjson`: one event a line, byte for byte as it is stored or, with `destination_id`, as the destination receives it. `csv`: a table with the columns of RFC 4180, for spreadsheets.',
});

/** The body of a request for an export. */
export const exportRequest = z.strictObject({
  format: exportFormat,
  filter: eventFilter.default({}),
  destination_id: boundedString(255).nullish().meta({
    description:
      'Exports only events with a delivery to this destination, each as `fields` of its sources leave it, with the state, `sequence` and `epoch` of the delivery.',
  }),
});
export type ExportRequest = z.infer<typeof exportRequest>;

/** An export in a response. */
export const exportSchema = z
  .object({
    id: z.string().meta({ example: 'exp_01jqz8y3s5e0kr6k4fvn0xw2ch' }),
    uri: z.string(),
    created_at: z.iso.datetime(),
    format: exportFormat,
    filter: eventFilter,
    destination_id: z.string().nullable(),
    requested_by: z
      .object({ principal_id: z.string(), credential_id: z.string().nullable() })
      .meta({ description: 'The user or bot, and its API key.' }),
    state: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled', 'expired']).meta({
      description:
        '`pending`: waits for changes and fan-outs in progress, or for a worker. `running`: is being written. `completed`: can be downloaded. `failed`: see `error`. `expired`: the file is kept no longer.',
    }),
    progress: z.object({
      events: z.int().meta({ description: 'Events that are written.' }),
      bytes: z.int(),
      reached_at: z.iso.datetime().nullable().meta({
        description:
          'Events up to this time are written. The last one is at the end of the filter, or at the creation of the export.',
      }),
    }),
    error: z
      .object({
        code: z.string().meta({ example: 'storage_full' }),
        message: z.string(),
      })
      .nullable()
      .meta({
        description:
          'Why it failed. `storage_full`, `storage_refused` and `storage_unavailable` are for the operator. `nothing_to_export`: no event matches. `destination_deleted`: the destination was deleted before the file was complete. `interrupted`: its worker ended, or events were erased, too often. `events_erased`: the file was complete, and may have held events that were erased since.',
      }),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable().meta({ description: 'When the file is removed.' }),
    manifest: exportManifest.nullable().meta({ description: 'What the file holds. Null before it is complete.' }),
    download_uri: z.string().nullable().meta({ description: 'Address of the file. Null unless `completed`.' }),
  })
  .meta({ id: 'Export', description: 'Events in a file.' });
export type ExportResponse = z.infer<typeof exportSchema>;

/** Returns the response of an export. */
export function toExportResponse(one: Export, baseUrl: string): ExportResponse {
  const uri = `${baseUrl}/exports/${one.id}`;
  return {
    id: one.id,
    uri,
    created_at: one.created_at.toISOString(),
    format: one.format,
    filter: one.filter,
    destination_id: one.destination_id,
    requested_by: { principal_id: one.principal_id, credential_id: one.credential_id },
    state: one.state,
    progress: { events: one.events, bytes: one.bytes, reached_at: one.reached_at?.toISOString() ?? null },
    error: one.error_code === null ? null : { code: one.error_code, message: one.error_message ?? '' },
    started_at: one.started_at?.toISOString() ?? null,
    finished_at: one.finished_at?.toISOString() ?? null,
    expires_at: one.expires_at?.toISOString() ?? null,
    manifest: one.manifest,
    download_uri: one.state === 'completed' ? `${uri}/download` : null,
  };
}
