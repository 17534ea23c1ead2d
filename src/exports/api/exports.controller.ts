import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { LaneViewStore } from '../../destinations/status/lane-view-store.js';
import { timeIn } from '../../events/log/event-filter.js';
import { EventSearchStore } from '../../events/log/event-search-store.js';
import { EventSearch } from '../../events/log/event-search.js';
import { storeResponses } from '../../http/idempotency/idempotency-store.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import type { ByteRange } from '../../http/response/byte-range.js';
import { sendFile, type FileResponse } from '../../http/response/file-response.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { invalidInput, notFound, Problem } from '../../problems/problem.js';
import { EXPORT_LIMITS, ExportStore, type ExportLimits, type ReachedLimit } from '../export-store.js';
import { fileOf, kindsReadBy, type Export } from '../export.js';
import { fileTypes, lineFormats } from '../formats/export-format.js';
import type { ExportStorage } from '../storage/export-storage.js';
import { ExportStorages } from '../storage/export-storages.js';
import {
  exportRequest,
  exportSchema,
  toExportResponse,
  type ExportRequest,
  type ExportResponse,
} from './export-response.js';
import { observed, whoDid } from './reading.js';

const TAG = 'exports';
const listQuery = z.strictObject(pageParametersOf('exp'));

/** Exports of events. */
@Controller('/exports')
export class ExportsController {
  constructor(
    @Inject(ExportStore) private readonly store: ExportStore,
    @Inject(EventSearch) private readonly search: EventSearch,
    @Inject(EventSearchStore) private readonly events: EventSearchStore,
    @Inject(LaneViewStore) private readonly lanes: LaneViewStore,
    @Inject(RetentionMarks) private readonly marks: Pick<RetentionMarks, 'completeSince'>,
    @Inject(ExportStorages) private readonly storages: ExportStorages,
    @Inject(EXPORT_LIMITS) private readonly limits: ExportLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @Operation({
    id: 'createExport',
    access: 'export',
    summary: 'Export events to a file',
    description:
      'Every event that was committed before the response and matches is in the file, oldest first. A worker writes it.',
    tagDescription: 'Events in files, with a manifest: how many, from when to when, and the SHA-256 of the file.',
    tag: TAG,
    status: 201,
    response: exportSchema,
    errors: ['exports_under_way', 'exports_stored'],
  })
  async create(
    @Context() context: RequestContext,
    @Body({ schema: exportRequest }) request: ExportRequest,
  ): Promise<ExportResponse> {
    const { store, search, limits, marks, logger } = this;
    const { accountId, baseUrl, reservation } = context;
    const destinationId = request.destination_id ?? null;
    await search.refuseUnknownTypes(context, request.filter, '/filter/type');
    if (destinationId !== null && !(await this.lanes.exists(accountId, destinationId)))
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

  @Get()
  @Operation({
    id: 'listExports',
    access: 'read',
    summary: 'List exports',
    tag: TAG,
    response: pageSchema('exports', exportSchema),
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    const found = await this.store.page(accountId, limit + 1, beforeId);
    const items = found.map((one) => toExportResponse(one, baseUrl));
    return page({ items, limit, listKey: 'exports', path: '/exports', baseUrl });
  }

  @Get(':id')
  @Operation({ id: 'getExport', access: 'read', summary: 'Get an export', tag: TAG, response: exportSchema })
  async get(@Context() context: RequestContext, @Param('id') id: string): Promise<ExportResponse> {
    return toExportResponse(await this.find(context, id), context.baseUrl);
  }

  @Post(':id/cancel')
  @Operation({
    id: 'cancelExport',
    access: 'export',
    summary: 'Cancel an export',
    description: 'Ends an export that is under way within seconds, and removes what was written.',
    tag: TAG,
    response: exportSchema,
  })
  async cancel(@Context() context: RequestContext, @Param('id') id: string): Promise<ExportResponse> {
    await this.requireOwn(context, id);
    const one = await this.store.cancel(context.accountId, id);
    if (!one) throw notFound('export', id);
    if (one.state === 'cancelled') return toExportResponse(one, context.baseUrl);
    throw new Problem('conflict', `The export is ${one.state}: only one that is under way can be cancelled.`);
  }

  @Delete(':id')
  @Operation({
    id: 'deleteExport',
    access: 'export',
    summary: 'Delete an export',
    description: 'Cancels an export that is under way. The file is removed within a minute.',
    tag: TAG,
    status: 204,
  })
  async delete(@Context() context: RequestContext, @Param('id') id: string): Promise<void> {
    await this.requireOwn(context, id);
    if (!(await this.store.delete(context.accountId, id))) throw notFound('export', id);
    this.logger.info({ ...whoDid(context), export: id }, 'an export was deleted');
  }

  @Get(':id/download')
  @Operation({
    id: 'downloadExport',
    access: 'export',
    summary: 'Download the file of an export',
    description:
      'The ETag is the SHA-256 of the file, as in the manifest. With `Range`, a download that broke is resumed.',
    tag: TAG,
    files: fileTypes,
    versioned: true,
    ranges: true,
    errors: ['export_not_complete', 'export_expired', 'export_file_unavailable'],
  })
  async download(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return sendFile(request, reply, await this.file(context, id));
  }

  /**
   * Returns the file of a complete export, for `download`.
   * @throws Problem `not_found`, `export_not_complete`, `export_expired`, or `export_file_unavailable` when this
   * process does not find the file
   */
  async file(context: RequestContext, id: string): Promise<FileResponse> {
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
    const storage = this.storages.of(one).at(-1);
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
    const { logger } = this;
    const fields = { ...whoDid(context), export: id, first_byte: range?.first ?? 0 };
    return observed(content, {
      begun: () => logger.info(fields, 'an export is downloaded'),
      ended: (bytes, outcome) => logger.info({ ...fields, bytes, outcome }, 'the download of an export has ended'),
    });
  }

  /** Refuses a filter that certainly matches nothing. Where that takes too long to find out, the export says so. */
  private async requireEvents(accountId: string, { filter }: ExportRequest): Promise<void> {
    const { ids, resumeAt } = await this.events.ids(accountId, filter, { order: 'oldest_first' }, 1);
    if (ids.length === 0 && resumeAt === null)
      throw invalidInput([{ pointer: '/filter', detail: 'no event matches the filter' }]);
  }

  /** Only a key with the role `admin` may end the exports of other principals. */
  private async requireOwn(context: RequestContext, id: string): Promise<void> {
    const { principal_id: principalId } = await this.find(context, id);
    const { principal, credential } = context;
    if (credential === null || credential.role === 'admin' || principalId === principal.id) return;
    const detail = `The API key ${credential.id} has the role ${credential.role}, which may cancel and delete the exports of its own principal only. ${principalId} requested this one.`;
    throw new Problem('role_not_allowed', detail, { allowedRoles: ['admin'] });
  }

  private async find({ accountId }: RequestContext, id: string): Promise<Export> {
    const one = await this.store.find(accountId, id);
    if (!one) throw notFound('export', id);
    return one;
  }
}

/** Returns the manifest of a complete export. @throws Problem */
function completed({ state, manifest }: Export): NonNullable<Export['manifest']> {
  if (state === 'expired') throw new Problem('export_expired', 'The file has expired. Create the export again.');
  if (state === 'completed' && manifest !== null) return manifest;
  throw new Problem('export_not_complete', `The export is ${state}, so it has no file.`);
}

function unavailable(cause: unknown): Problem {
  const detail =
    'This process does not find the file of the export. The operator finds the reasons in docs/exports.md.';
  return new Problem('export_file_unavailable', detail, { cause, retryAfterSeconds: 10 });
}

function limitReached(limit: ReachedLimit, { underWay, files, bytes }: ExportLimits): Problem {
  switch (limit) {
    case 'underWay': {
      const detail = `The account has ${underWay} exports under way. Wait for one of them, or cancel it.`;
      return new Problem('exports_under_way', detail);
    }
    case 'files': {
      const detail = `The account has the files of ${files} exports. Delete one of them, or wait until one expires.`;
      return new Problem('exports_stored', detail);
    }
    case 'bytes': {
      const detail = `The files of the account's exports have ${bytes} bytes or more. Delete one of them, or wait until one expires.`;
      return new Problem('exports_stored', detail);
    }
    default:
      return limit satisfies never;
  }
}
