import type { LaneViewStore } from '../../delivery/views/lane-view-store.js';
import { filterOf } from '../../events/search/event-filter.js';
import type { EventSearchStore } from '../../events/search/event-search-store.js';
import type { EventSearch } from '../../events/search/event-search.js';
import type { FileResponse } from '../../http/file-response.js';
import { assertCursor } from '../../http/pagination.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Logger } from '../../logging/logger.js';
import { invalidInput, notFound, Problem } from '../../problems/problem.js';
import type { ExportStore } from '../export-store.js';
import { filesOf, type Export } from '../export.js';
import { lineFormats } from '../formats/export-format.js';
import type { ExportStorage } from '../storage/export-storage.js';
import { toExportResponse, type ExportRequest, type ExportResponse } from './export-response.js';

/** Dependencies of Exports. */
export interface ExportsParts {
  readonly store: ExportStore;
  readonly search: EventSearch;
  readonly events: EventSearchStore;
  readonly lanes: LaneViewStore;
  readonly storage: ExportStorage;
  /** Most exports of an account that are under way at once. */
  readonly mostUnderWay: number;
  readonly logger: Logger;
}

/** Exports as resources: a worker writes their files. */
export class Exports {
  constructor(private readonly parts: ExportsParts) {}

  /**
   * Creates an export of what is committed now.
   * @throws Problem `invalid_input` for an unknown event type or destination, and where no event matches;
   * `exports_under_way` when the account has enough
   */
  async create(context: RequestContext, request: ExportRequest): Promise<ExportResponse> {
    const { store, search, mostUnderWay, logger } = this.parts;
    const { accountId, baseUrl, principal, credential, operationId } = context;
    const destinationId = request.destination_id ?? null;
    const filter = filterOf(request.filter);
    await search.refuseUnknownTypes(context, filter.types, '/filter/type');
    if (destinationId !== null && !(await this.parts.lanes.find(accountId, destinationId)))
      throw invalidInput([{ pointer: '/destination_id', detail: 'there is no event destination with this id' }]);
    await this.requireEvents(accountId, request);
    const created = await store.create(
      {
        accountId,
        format: request.format,
        filter: request.filter,
        destinationId,
        principalId: principal.id,
        credentialId: credential?.id ?? null,
        operationId,
        completeSince: await search.completeSince(accountId, filter, destinationId !== null),
      },
      mostUnderWay,
    );
    if (created === null) {
      const detail = `The account has ${mostUnderWay} exports under way. Wait for one of them, or cancel it.`;
      throw new Problem('conflict', 'exports_under_way', detail);
    }
    logger.info({ ...whoDid(context), export: created.id, destination: destinationId }, 'an export was requested');
    return toExportResponse(created, baseUrl);
  }

  /** Newest first. @throws Problem `invalid_input` for a cursor */
  async list(
    { accountId, baseUrl }: RequestContext,
    page: { readonly limit: number; readonly beforeId: string | undefined },
  ): Promise<readonly ExportResponse[]> {
    assertCursor('exp', page.beforeId);
    return (await this.parts.store.page(accountId, page)).map((one) => toExportResponse(one, baseUrl));
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, id: string): Promise<ExportResponse> {
    return toExportResponse(await this.find(context, id), context.baseUrl);
  }

  /** @throws Problem `not_found`, or `conflict` when the export has ended otherwise */
  async cancel(context: RequestContext, id: string): Promise<ExportResponse> {
    const one = await this.parts.store.cancel(context.accountId, id);
    if (!one) throw notFound('export', id);
    if (one.state === 'cancelled') return toExportResponse(one, context.baseUrl);
    throw new Problem(
      'conflict',
      'conflict',
      `The export is ${one.state}: only one that is under way can be cancelled.`,
    );
  }

  /** @throws Problem `not_found` */
  async delete(context: RequestContext, id: string): Promise<void> {
    if (!(await this.parts.store.delete(context.accountId, id))) throw notFound('export', id);
    this.parts.logger.info({ ...whoDid(context), export: id }, 'an export was deleted');
  }

  /**
   * Returns the file of a complete export.
   * @throws Problem `not_found`, `export_not_complete`, `export_expired`, or `export_file_unavailable` when this
   * process does not find the file
   */
  async download(context: RequestContext, id: string): Promise<FileResponse> {
    const { storage, logger } = this.parts;
    const one = await this.find(context, id);
    const { file } = completed(one);
    const { data } = filesOf(one);
    const size = await storage.sizeOf(data).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (size !== file.bytes) throw unavailable(null);
    logger.info({ ...whoDid(context), export: id }, 'an export is downloaded');
    return {
      name: file.name,
      mediaType: lineFormats[one.format].mediaType,
      content: storage.read(data),
      headers: {
        etag: `"${file.sha256}"`,
        'content-length': String(file.bytes),
        // RFC 9530
        'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      },
    };
  }

  /** Refuses a filter that certainly matches nothing. Where that takes too long to find out, the export says so. */
  private async requireEvents(accountId: string, { filter }: ExportRequest): Promise<void> {
    const range = { order: 'oldest_first', beforeId: undefined, afterId: undefined } as const;
    const { ids, resumeAt } = await this.parts.events.ids(accountId, filterOf(filter), range, 1);
    if (ids.length === 0 && resumeAt === null)
      throw invalidInput([{ pointer: '/filter', detail: 'no event matches the filter' }]);
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

function whoDid({ accountId, principal, credential, operationId }: RequestContext) {
  return {
    account_id: accountId,
    principal_id: principal.id,
    credential_id: credential?.id ?? null,
    operation_id: operationId,
  };
}
