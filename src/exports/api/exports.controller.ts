import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { sendFile } from '../../http/response/file-response.js';
import { pageParametersOf, pageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { idPattern } from '../../ids/id.js';
import { fileTypes } from '../formats/export-format.js';
import { exportRequest, exportSchema, type ExportRequest, type ExportResponse } from './export-response.js';
import { Exports } from './exports.js';

const TAG = 'exports';
const listQuery = z.strictObject(pageParametersOf(idPattern('exp')));

/** Exports of events. */
@Controller('/exports')
export class ExportsController {
  constructor(@Inject(Exports) private readonly exports: Exports) {}

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
  create(
    @Context() context: RequestContext,
    @Body({ schema: exportRequest }) request: ExportRequest,
  ): Promise<ExportResponse> {
    return this.exports.create(context, request);
  }

  @Get()
  @Operation({
    id: 'listExports',
    access: 'read',
    summary: 'List exports',
    tag: TAG,
    response: pageSchema('exports', exportSchema),
  })
  list(@Context() context: RequestContext, @QueryParameters(listQuery) query: PageQuery): Promise<Page> {
    return this.exports.list(context, query);
  }

  @Get(':id')
  @Operation({ id: 'getExport', access: 'read', summary: 'Get an export', tag: TAG, response: exportSchema })
  get(@Context() context: RequestContext, @Param('id') id: string): Promise<ExportResponse> {
    return this.exports.get(context, id);
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
  cancel(@Context() context: RequestContext, @Param('id') id: string): Promise<ExportResponse> {
    return this.exports.cancel(context, id);
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
  delete(@Context() context: RequestContext, @Param('id') id: string): Promise<void> {
    return this.exports.delete(context, id);
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
    return sendFile(request, reply, await this.exports.download(context, id));
  }
}
