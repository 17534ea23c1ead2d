import { z } from 'zod';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { filterParameters, refuseReversed, timeIn, type EventFilter } from '../../events/log/event-filter.js';
import type { EventSearchStore } from '../../events/log/event-search-store.js';
import type { EventSearch } from '../../events/log/event-search.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { FileResponse } from '../../http/response/file-response.js';
import type { Logger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import { lineFormats } from '../formats/export-format.js';
import type { LineFormat } from '../formats/line-format.js';
import { exportFormat } from './export-response.js';
import { observed, whoDid } from './reading.js';

/** Most events of one response of `GET /events/export`. */
export const MOST_DIRECT = 10_000;

/** Most pages of the search for one response: each reads a bounded number of events. */
const MOST_PAGES = 10;

/** Most events that are in memory at once for a response, and about the most bytes of them. */
const EVENTS_OF_PAGE = 100;
export const BYTES_OF_PAGE = 131_072;

/** The query of a direct export. */
export const directExportQuery = z
  .strictObject({ format: exportFormat.default('ndjson'), ...filterParameters })
  .superRefine(refuseReversed);
export type DirectExportQuery = z.infer<typeof directExportQuery>;

/** Dependencies of DirectExport. */
export interface DirectExportParts {
  readonly search: EventSearch;
  readonly events: EventSearchStore;
  readonly marks: Pick<RetentionMarks, 'completeSince'>;
  readonly logger: Logger;
}

/** Exports events in one response, where they are few. */
export class DirectExport {
  constructor(
    private readonly parts: DirectExportParts,
    private readonly most: number = MOST_DIRECT,
  ) {}

  /**
   * Returns the events that match now, oldest first.
   * @throws Problem `invalid_input` for an unknown event type; `too_many_events` where an export is needed
   */
  async open(context: RequestContext, query: DirectExportQuery): Promise<FileResponse> {
    const { accountId } = context;
    const { format, ...filter } = query;
    await this.parts.search.refuseUnknownTypes(context, filter);
    const { logger, marks } = this.parts;
    const ids = await this.ids(accountId, filter);
    const since = await marks.completeSince(accountId, ['events'], timeIn(filter.from));
    const fields = { ...whoDid(context), events: ids.length };
    const lines = lineFormats[format];
    return {
      name: `events.${format}`,
      mediaType: lines.mediaType,
      content: observed(this.content(accountId, ids, lines), {
        begun: () => logger.info(fields, 'events are exported in a response'),
        ended: (bytes, outcome) =>
          logger.info({ ...fields, bytes, outcome }, 'the export of events in a response has ended'),
      }),
      headers: {
        'event-count': String(ids.length),
        ...(since && { 'complete-since': since.toISOString() }),
      },
    };
  }

  /** Finds all before anything is sent: so a response that has begun has every event. */
  private async ids(accountId: string, filter: EventFilter): Promise<readonly string[]> {
    const found: string[] = [];
    let afterId: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const range = { order: 'oldest_first', after_id: afterId } as const;
      const wanted = this.most + 1 - found.length;
      const { ids, resumeAt } = await this.parts.events.ids(accountId, filter, range, wanted);
      found.push(...ids);
      if (found.length > this.most) break;
      if (resumeAt === null) return found;
      afterId = resumeAt;
    }
    const detail = `More than ${this.most} events match, or finding them takes too long. Narrow the filter, or create an export: POST /exports.`;
    throw new Problem('too_many_events', detail);
  }

  private async *content(accountId: string, ids: readonly string[], lines: LineFormat): AsyncIterable<string> {
    const head = lines.head(false);
    if (head !== '') yield head;
    for (let at = 0; at < ids.length;) {
      const wanted = ids.slice(at, at + EVENTS_OF_PAGE);
      const events = await this.parts.events.withIds(accountId, wanted);
      // Event-Count is sent already: without all of them, the connection ends with an error.
      const isWhole = events.every(({ id, erasureId }, index) => id === wanted[index] && erasureId === null);
      if (events.length === 0 || !isWhole)
        throw new Error('An event was removed or erased while it was exported in a response.');
      yield events.map((event) => lines.line(event, null)).join('');
      at += events.length;
    }
  }
}
