import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { z } from 'zod';
import { withArticle } from '../../events/with-article.js';
import type { Versioned } from '../../http/etag.js';
import { Operation } from '../../http/openapi/operation.js';
import { page, pageQuery, pageSchema, type Page, type PageQuery } from '../../http/pagination.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { isId } from '../../ids/id.js';
import { invalidInput } from '../../problems/problem.js';
import type { Attributes, ResourceDefinition } from './definition.js';
import { withoutRepeated } from './path-parameters.js';
import type { ResourceService } from './resource-service.js';

/** The injection token of a family's service. */
export function serviceToken(definition: ResourceDefinition): string {
  return `resource-service:${definition.name}`;
}

/** The controller of a family: create, list, get, update, delete, documented from its schemas. */
export function resourceController(definition: ResourceDefinition): Type {
  const { path, listKey, prefix, read, title, summary: description } = definition;
  const one = camelCase(definition.name);
  const tag = title.many;
  const update = definition.update.safeExtend({ id: z.string().optional() });
  const answers = { tag, answer: read, versioned: true };

  @Controller(path)
  class ResourceController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Post()
    @Operation({
      ...answers,
      id: `create${one}`,
      summary: `Create ${withArticle(title.one)}`,
      description,
      status: 201,
    })
    create(
      @Context() context: RequestContext,
      @Body({ schema: definition.create }) body: Attributes,
    ): Promise<Versioned> {
      return this.service.create(context, body);
    }

    @Get()
    @Operation({
      id: `list${camelCase(listKey)}`,
      summary: `List ${title.many}`,
      tag,
      answer: pageSchema(listKey, read),
    })
    async list(
      @Context() context: RequestContext,
      @Query({ schema: pageQuery }) query: PageQuery,
    ): Promise<Page> {
      const { limit, before_id: beforeId } = query;
      assertCursor(prefix, beforeId);
      const items = await this.service.list(context, { limit: limit + 1, beforeId });
      return page({ items, limit, listKey, path, baseUrl: context.baseUrl });
    }

    @Get(':id')
    @Operation({ ...answers, id: `get${one}`, summary: `Get ${withArticle(title.one)}` })
    get(@Context() context: RequestContext, @Param('id') id: string): Promise<Versioned> {
      return this.service.get(context, id);
    }

    @Patch(':id')
    @Operation({
      ...answers,
      id: `update${one}`,
      summary: `Update ${withArticle(title.one)}`,
      description: 'What is left out stays as it is; null clears a field that can be null.',
    })
    update(
      @Context() context: RequestContext,
      @Param('id') id: string,
      @Body({ schema: update }) body: Attributes,
    ): Promise<Versioned> {
      return this.service.update(context, id, withoutRepeated(body, { id }));
    }

    @Delete(':id')
    @Operation({
      id: `delete${one}`,
      summary: `Delete ${withArticle(title.one)}`,
      tag,
      status: 204,
      errors: ['still_referenced'],
    })
    remove(@Context() context: RequestContext, @Param('id') id: string): Promise<void> {
      return this.service.remove(context, id);
    }
  }
  Object.defineProperty(ResourceController, 'name', { value: `${one}Controller` });
  return ResourceController;
}

/** @throws Problem `invalid_input` when the id that a page starts before is not of the family */
export function assertCursor(prefix: string, beforeId: string | undefined): void {
  if (beforeId === undefined || isId(prefix, beforeId)) return;
  throw invalidInput([
    { pointer: '?before_id', detail: `is not an id of this list: they begin with ${prefix}_` },
  ]);
}

function camelCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
