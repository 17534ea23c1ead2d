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
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import type { Versioned } from '../../../http/response/etag.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../../../http/response/pagination.js';
import {
  familyOperations,
  pascalCase,
  type Attributes,
  type FamilyOperation,
  type ResourceDefinition,
} from '../definition/definition.js';
import { pathOf } from '../definition/links.js';
import { filteringOf, filterParameters } from '../definition/list-filters.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { DocumentedPath } from './documented-path.js';
import { existenceFirst } from './existence-first.js';
import { parentIdIn, repeatedParameter, withoutRepeated, type PathParameters } from './path-parameters.js';

/** Returns the controller of the operations that a family offers, documented from its schemas. */
export function resourceController(definition: ResourceDefinition): Type {
  const { name, path, listKey, prefix, read, title, summary, operable, costlyList, deletesDependents } = definition;
  const { operations = familyOperations, filters = [] } = definition;
  /** Makes the method the handler of an operation, if the family offers it. */
  const offered = (operation: FamilyOperation, ...decorators: readonly MethodDecorator[]): MethodDecorator =>
    operations.includes(operation) ? applyDecorators(...decorators) : () => {};

  const one = withIndefiniteArticle(title.one);
  const tag = title.many;
  const responses = { tag, response: read, versioned: true };
  const createBody = definition.create.safeExtend(repeatable(definition));
  // A body without required fields may be left out.
  const optionalBody = createBody.safeParse({}).success;
  const createSchema = optionalBody ? createBody.prefault({}) : createBody;
  const listQuery = z.strictObject({ ...pageParametersOf(prefix), ...filterParameters(filters) });
  const updateSchema = definition.update.safeExtend({ ...repeatable(definition), id: repeatedParameter });
  const deleteQuery = z.strictObject(
    deletesDependents ? { [deletesDependents.parameter]: flag(deletesDependents.description) } : {},
  );

  @Controller(path)
  class ResourceController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @offered(
      'create',
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
      'list',
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
      const { limit, before_id: beforeId } = query;
      const filtering = filteringOf(filters, query);
      const listed = await this.within(parameters).list(context, { limit: limit + 1, beforeId, filtering });
      const repeated = Object.fromEntries([...filtering].map(([filter, values]) => [filter.name, values]));
      const listPath = pathOf(definition, parentIdIn(definition, parameters));
      return page({ ...listed, limit, listKey, path: listPath, baseUrl: context.baseUrl, query: repeated });
    }

    @offered(
      'get',
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
      'update',
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
      'delete',
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

    private within(parameters: PathParameters): ResourceService {
      return this.service.within(parentIdIn(definition, parameters));
    }
  }
  return ResourceController;
}

function flag(description: string) {
  return z.enum(['true', 'false']).optional().meta({ description });
}

/** The body field that may repeat the path parameter of the parent. */
export function repeatable({ parent }: ResourceDefinition) {
  return parent ? { [parent.parameter]: repeatedParameter } : {};
}
