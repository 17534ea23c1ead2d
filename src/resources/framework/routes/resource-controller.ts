import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Param,
  Patch,
  Post,
  UseInterceptors,
  type Type,
} from '@nestjs/common';
import { z } from 'zod';
import { withIndefiniteArticle } from '../../../events/catalogue/indefinite-article.js';
import { resourceHistoryQuery, type ResourceHistoryQuery } from '../../../events/log/event-filter.js';
import { eventPageSchema } from '../../../events/log/event-log.js';
import { EventSearch } from '../../../events/log/event-search.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import type { Versioned } from '../../../http/response/etag.js';
import {
  cursor,
  limitParameter,
  page,
  pageParametersOf,
  pageSchema,
  type Page,
  type PageQuery,
} from '../../../http/response/pagination.js';
import { idPattern } from '../../../ids/id.js';
import { Problem } from '../../../problems/problem.js';
import { familyOperations, pascalCase, type Attributes, type ResourceDefinition } from '../definition/definition.js';
import { pathOf } from '../definition/links.js';
import { pageOfReferences, References } from '../service/references.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { DocumentedPath } from './documented-path.js';
import { existenceFirst } from './existence-first.js';
import { parentIdIn, repeatedParameter, withoutRepeated, type PathParameters } from './path-parameters.js';

const referencesQuery = z.strictObject({
  limit: limitParameter,
  before_id: cursor(
    idPattern('[a-z]+'),
    'is not an id of a resource',
    'Returns only resources whose ids are lower than this one. `next_page_uri` contains it.',
  ),
});

const givenFilters = z.record(z.string(), z.array(z.string()));

/**
 * Returns the controller of the operations that a family offers, documented from its schemas, of the events of a
 * resource, and of the references to it.
 * @param hasEvents whether changes of its resources are events
 */
export function resourceController(definition: ResourceDefinition, hasEvents: boolean): Type {
  const { name, path, listKey, prefix, read, title, summary, operable, costlyList, deletesDependents } = definition;
  const { operations = familyOperations, filters } = definition;

  const one = withIndefiniteArticle(title.one);
  const tag = title.many;
  const responses = { tag, response: read, versioned: true };
  const createBody = definition.create.safeExtend(repeatable(definition));
  // A body without required fields may be left out.
  const optionalBody = createBody.safeParse({}).success;
  const createSchema = optionalBody ? createBody.prefault({}) : createBody;
  const listQuery = z.strictObject({ ...pageParametersOf(prefix), ...filters });
  const updateSchema = definition.update.safeExtend({ ...repeatable(definition), id: repeatedParameter });
  const deleteQuery = z.strictObject(
    deletesDependents ? { [deletesDependents.parameter]: flag(deletesDependents.description) } : {},
  );

  @Controller(path)
  class ResourceController {
    constructor(
      @Inject(serviceToken(definition)) private readonly service: ResourceService,
      @Inject(EventSearch) private readonly search: EventSearch,
      @Inject(References) private readonly referrers: References,
    ) {}

    @offered(
      operations.includes('create'),
      Post(),
      DocumentedPath(path),
      Operation({
        ...responses,
        id: `create${pascalCase(name)}`,
        access: 'change',
        summary: `Create ${one}`,
        description: summary,
        status: 201,
        optionalBody,
      }),
    )
    create(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema: createSchema }) attributes: Attributes,
    ): Promise<Versioned> {
      return this.within(parameters).create(context, withoutRepeated(attributes, parameters));
    }

    @offered(
      operations.includes('list'),
      Get(),
      DocumentedPath(path),
      Operation({
        id: `list${pascalCase(title.many)}`,
        access: 'read',
        summary: `List ${title.many}`,
        tag,
        response: pageSchema(listKey, read),
        ...(costlyList && { costly: 'always' as const }),
      }),
    )
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(listQuery) query: PageQuery & Readonly<Record<string, unknown>>,
    ): Promise<Page> {
      const { limit, before_id: beforeId, ...rest } = query;
      const filtering = givenFilters.parse(rest);
      const listed = await this.within(parameters).list(context, { limit: limit + 1, beforeId, filtering });
      const listPath = pathOf(definition, parentIdIn(definition, parameters));
      return page({ ...listed, limit, listKey, path: listPath, baseUrl: context.baseUrl, query: filtering });
    }

    @offered(
      operations.includes('get'),
      Get(':id'),
      DocumentedPath(`${path}/:id`),
      Operation({
        ...responses,
        id: `get${pascalCase(name)}`,
        access: 'read',
        summary: `Get ${one}`,
        tagDescription: summary,
      }),
    )
    get(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<Versioned> {
      return this.within(parameters).get(context, parameters.id ?? '');
    }

    @offered(
      operations.includes('update'),
      Patch(':id'),
      UseInterceptors(existenceFirst(definition)),
      DocumentedPath(`${path}/:id`),
      Operation({
        ...responses,
        id: `update${pascalCase(name)}`,
        access: 'change',
        ...(operable && { partialAccess: { access: 'operate' as const, members: operable } }),
        summary: `Update ${one}`,
        description: 'Fields that are left out stay as they are. Null clears a nullable field.',
      }),
    )
    update(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema: updateSchema }) body: Attributes,
    ): Promise<Versioned> {
      return this.within(parameters).update(context, parameters.id ?? '', withoutRepeated(body, parameters));
    }

    @offered(
      operations.includes('delete'),
      Delete(':id'),
      DocumentedPath(`${path}/:id`),
      Operation({
        id: `delete${pascalCase(name)}`,
        access: 'change',
        summary: `Delete ${one}`,
        tag,
        status: 204,
        errors: ['still_referenced'],
      }),
    )
    delete(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(deleteQuery) flags: z.infer<typeof deleteQuery>,
    ): Promise<void> {
      const withDependents = Object.values(flags).includes('true');
      return this.within(parameters).remove(context, parameters.id ?? '', withDependents);
    }

    @offered(
      hasEvents,
      Get(':id/events'),
      DocumentedPath(`${path}/:id/events`),
      Operation({
        id: `list${pascalCase(name)}Events`,
        access: 'read',
        summary: `List the events of ${one}`,
        description:
          'The history of the resource. It remains after the deletion of the resource, as long as its events. Published events are no part of it, whatever their `resource_id` is.',
        tag,
        response: eventPageSchema,
        costly: 'always',
      }),
    )
    async events(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(resourceHistoryQuery) query: ResourceHistoryQuery,
    ): Promise<Page> {
      const { id = '' } = parameters;
      const parentId = parentIdIn(definition, parameters);
      await this.assertKnown(context, id, parentId);
      return this.search.history(context, id, query, `${pathOf(definition, parentId)}/${id}/events`);
    }

    @Get(':id/references')
    @DocumentedPath(`${path}/:id/references`)
    @Operation({
      id: `list${pascalCase(name)}References`,
      access: 'read',
      summary: `List the resources that refer to ${one}`,
      description:
        'A resource that is a part of another one refers to it. The list has each resource once, with all members that hold the id.',
      tag,
      response: pageOfReferences,
    })
    async references(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(referencesQuery) { limit, before_id: beforeId }: PageQuery,
    ): Promise<Page> {
      const { id = '' } = parameters;
      // Throws `not_found`.
      await this.within(parameters).attributes(context, id);
      const items = await this.referrers.to(context, definition, id, { limit: limit + 1, beforeId });
      const listPath = `${pathOf(definition, parentIdIn(definition, parameters))}/${id}/references`;
      return page({ items, limit, listKey: 'references', path: listPath, baseUrl: context.baseUrl });
    }

    /** @throws Problem `not_found` when neither the resource nor an event of it exists */
    private async assertKnown(context: RequestContext, id: string, parentId: string | null): Promise<void> {
      try {
        await this.service.within(parentId).get(context, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
        if (!(await this.wasDeleted(context, id, parentId))) throw error;
      }
    }

    /**
     * Whether a resource of this family and of this parent was deleted. Also where it has too many published events to
     * know: its pages then find out, and no publisher can hide a deletion.
     */
    private async wasDeleted(context: RequestContext, id: string, parentId: string | null): Promise<boolean> {
      const deletion = await this.search.newestOf(context, id, `${name}_deleted.v0`);
      if (deletion === null) return true;
      if (deletion === undefined) return false;
      if (!definition.parent) return true;
      const { object }: { object: Readonly<Record<string, unknown>> } = JSON.parse(deletion.payload);
      return object[definition.parent.parameter] === parentId;
    }

    private within(parameters: PathParameters): ResourceService {
      return this.service.within(parentIdIn(definition, parameters));
    }
  }
  return ResourceController;
}

/** Makes the method the handler of an operation, if the family offers it. */
function offered(isOffered: boolean, ...decorators: readonly MethodDecorator[]): MethodDecorator {
  return isOffered ? applyDecorators(...decorators) : () => {};
}

function flag(description: string) {
  return z.enum(['true', 'false']).optional().meta({ description });
}

/** The body field that may repeat the path parameter of the parent. */
export function repeatable({ parent }: ResourceDefinition) {
  return parent ? { [parent.parameter]: repeatedParameter } : {};
}
