import { csv } from './csv.js';
import type { LineFormat } from './line-format.js';
import { ndjson } from './ndjson.js';

/** The formats of an export. Each is the extension of its files. */
export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The line format of each format of an export. */
export const lineFormats: Readonly<Record<ExportFormat, LineFormat>> = { ndjson, csv };

/** Media types of the files, for the OpenAPI document. */
export const fileTypes = Object.values(lineFormats).map(({ mediaType }) => mediaType.replace(/;.*/, ''));
