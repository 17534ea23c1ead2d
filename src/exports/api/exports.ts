import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { LaneViewStore } from '../../destinations/status/lane-view-store.js';
import { timeIn } from '../../events/log/event-filter.js';
import type { EventSearchStore } from '../../events/log/event-search-store.js';
import type { EventSearch } from '../../events/log/event-search.js';
import { storeResponses } from '../../http/idempotency/idempotency-store.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { ByteRange } from '../../http/response/byte-range.js';
import type { FileResponse } from '../../http/response/file-response.js';
import { assertCursor, page, type Page, type PageQuery } from '../../http/response/pagination.js';
import type { Logger } from '../../logging/logger.js';
import { invalidInput, notFound, Problem } from '../../problems/problem.js';
import type { ExportLimits, ExportStore, ReachedLimit } from '../export-store.js';
import { fileOf, kindsReadBy, type Export } from '../export.js';
import { lineFormats } from '../formats/export-format.js';
import type { ExportStorage } from '../storage/export-storage.js';
import type { ExportStorages } from '../storage/export-storages.js';
import { toExportResponse, type ExportRequest, type ExportResponse } from './export-response.js';
import { observed } from './reading.js';

/** Dependencies of Exports. */
export interface ExportsParts {
  readonly store: ExportStore;
  readonly search: EventSearch;
  readonly events: EventSearchStore;
  readonly lanes: LaneViewStore;
  readonly marks: Pick<RetentionMarks, 'completeSince'>;
  readonly storages: ExportStorages;
  readonly limits: ExportLimits;
  readonly logger: Logger;
}

/** Exports as resources: a worker writes their files. */
export class Exports {
  constructor(private readonly parts: ExportsParts) {}

  /**
   * Creates an export of what is committed now.
   * @throws Problem `invalid_input` for an unknown event type or destination, and where no event matches;
   * `exports_under_way` and `exports_stored` when the account has enough
   */
  async create(context: RequestContext, request: ExportRequest): Promise<ExportResponse> {
    const { store, search, limits, marks, logger } = this.parts;
    const { accountId, baseUrl, reservation } = context;
    const destinationId = request.destination_id ?? null;
    await search.refuseUnknownTypes(context, request.filter, '/filter/type');
    if (destinationId !== null && !(await this.parts.lanes.exists(accountId, destinationId)))
      throw invalidInput([{ pointer: '/destination_id', detail: 'there is no event destination with this id' }]);
    await this.requireEvents(accountId, request);
    const created = await store.create(
      {
        ...whoDid(context),
        format: request.format,
        filter: request.filter,
        destination_id: destinationId,
        // Before the search: the worker looks again when it has read all events.
        complete_since: await marks.completeSince(accountId, kindsReadBy(destinationId), timeIn(request.filter.from)),
      },
      limits,
      (trx, one) => storeResponses(trx, [reservation?.sealed({ status: 201, body: toExportResponse(one, baseUrl) })]),
    );
    if (typeof created === 'string') throw limitReached(created, limits);
    logger.info({ ...whoDid(context), export: created.id, destination: destinationId }, 'an export was requested');
    return toExportResponse(created, baseUrl);
  }

  /** Newest first. @throws Problem `invalid_input` for a cursor */
  async list({ accountId, baseUrl }: RequestContext, { limit, before_id: beforeId }: PageQuery): Promise<Page> {
    assertCursor('exp', beforeId);
    const found = await this.parts.store.page(accountId, limit + 1, beforeId);
    const items = found.map((one) => toExportResponse(one, baseUrl));
    return page({ items, limit, listKey: 'exports', path: '/exports', baseUrl });
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<ExportResponse> {
    return toExportResponse(await this.find(context, id), context.baseUrl);
  }

  /**
   * @throws Problem `not_found`; `role_not_allowed` for the export of another principal; `conflict` when the export has
   * ended otherwise
   */
  async cancel(context: RequestContext, id: string): Promise<ExportResponse> {
    await this.requireOwn(context, id);
    const one = await this.parts.store.cancel(context.accountId, id);
    if (!one) throw notFound('export', id);
    if (one.state === 'cancelled') return toExportResponse(one, context.baseUrl);
    throw new Problem(
      'conflict',
      'conflict',
      `The export is ${one.state}: only one that is under way can be cancelled.`,
    );
  }

  /** @throws Problem `not_found`; `role_not_allowed` for the export of another principal */
  async delete(context: RequestContext, id: string): Promise<void> {
    await this.requireOwn(context, id);
    if (!(await this.parts.store.delete(context.accountId, id))) throw notFound('export', id);
    this.parts.logger.info({ ...whoDid(context), export: id }, 'an export was deleted');
  }

  /**
   * Returns the file of a complete export.
   * @throws Problem `not_found`, `export_not_complete`, `export_expired`, or `export_file_unavailable` when this
   * process does not find the file
   */
  async download(context: RequestContext, id: string): Promise<FileResponse> {
    const one = await this.find(context, id);
    const { file } = completed(one);
    const storage = await this.holding(one, file.bytes).catch((error: unknown) => {
      throw unavailable(error);
    });
    const read = (range?: ByteRange): AsyncIterable<Uint8Array> =>
      this.logged(context, id, range, storage.read(fileOf(one), range));
    return {
      name: file.name,
      mediaType: lineFormats[one.format].mediaType,
      content: read(),
      headers: {
        // RFC 9530
        'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      },
      stored: { bytes: file.bytes, etag: `"${file.sha256}"`, part: read },
    };
  }

  /** Returns the storage that has the whole file of an export. */
  private async holding(one: Export, bytes: number): Promise<ExportStorage> {
    const storage = this.parts.storages.of(one).at(-1);
    if (!storage || (await storage.sizeOf(fileOf(one))) !== bytes) throw new Error('The storage has no such file.');
    return storage;
  }

  /** Returns the content of a file. The log says who reads which bytes of it, and how the reading ends. */
  private logged(
    context: RequestContext,
    id: string,
    range: ByteRange | undefined,
    content: AsyncIterable<Uint8Array>,
  ): AsyncIterable<Uint8Array> {
    const { logger } = this.parts;
    const fields = { ...whoDid(context), export: id, first_byte: range?.first ?? 0 };
    return observed(content, {
      begun: () => logger.info(fields, 'an export is downloaded'),
      ended: (bytes, outcome) => logger.info({ ...fields, bytes, outcome }, 'the download of an export has ended'),
    });
  }

  /** Refuses a filter that certainly matches nothing. Where that takes too long to find out, the export says so. */
  private async requireEvents(accountId: string, { filter }: ExportRequest): Promise<void> {
    const { ids, resumeAt } = await this.parts.events.ids(accountId, filter, { order: 'oldest_first' }, 1);
    if (ids.length === 0 && resumeAt === null)
      throw invalidInput([{ pointer: '/filter', detail: 'no event matches the filter' }]);
  }

  /** Only a key with the role `admin` may end the exports of other principals. */
  private async requireOwn(context: RequestContext, id: string): Promise<void> {
    const { principal_id: principalId } = await this.find(context, id);
    const { principal, credential } = context;
    if (credential === null || credential.role === 'admin' || principalId === principal.id) return;
    const detail = `The API key ${credential.id} has the role ${credential.role}, which may cancel and delete the exports of its own principal only. ${principalId} requested this one.`;
    throw new Problem('forbidden', 'role_not_allowed', detail, { allowedRoles: ['admin'] });
  }

  private async find({ accountId }: RequestContext, id: string): Promise<Export> {
    const one = await this.parts.store.find(accountId, id);
    if (!one) throw notFound('export', id);
    return one;
  }
}

/** Returns the manifest of a complete export. @throws Problem */
function completed({ state, manifest }: Export): NonNullable<Export['manifest']> {
  if (state === 'expired')
    throw new Problem('gone', 'export_expired', 'The file has expired. Create the export again.');
  if (state === 'completed' && manifest !== null) return manifest;
  throw new Problem('conflict', 'export_not_complete', `The export is ${state}, so it has no file.`);
}

function unavailable(cause: unknown): Problem {
  const detail =
    'This process does not find the file of the export. The operator finds the reasons in docs/exports.md.';
  return new Problem('unavailable', 'export_file_unavailable', detail, { cause, retryAfterSeconds: 10 });
}

function limitReached(limit: ReachedLimit, { underWay, files, bytes }: ExportLimits): Problem {
  switch (limit) {
    case 'underWay': {
      const detail = `The account has ${underWay} exports under way. Wait for one of them, or cancel it.`;
      return new Problem('conflict', 'exports_under_way', detail);
    }
    case 'files': {
      const detail = `The account has the files of ${files} exports. Delete one of them, or wait until one expires.`;
      return new Problem('conflict', 'exports_stored', detail);
    }
    case 'bytes': {
      const detail = `The files of the account's exports have ${bytes} bytes or more. Delete one of them, or wait until one expires.`;
      return new Problem('conflict', 'exports_stored', detail);
    }
    default:
      return limit satisfies never;
  }
}

/** Returns who made a request, as log lines and exports have it. */
export function whoDid({ accountId, principal, credential, operationId }: RequestContext) {
  return {
    account_id: accountId,
    principal_id: principal.id,
    credential_id: credential?.id ?? null,
    operation_id: operationId,
  };
}
