import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, UseInterceptors, type Type } from '@nestjs/common';
import { z } from 'zod';
import { withIndefiniteArticle } from '../../../events/catalogue/indefinite-article.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import type { Versioned } from '../../../http/response/etag.js';
import {
  assertCursor,
  page,
  pageParametersOf,
  pageSchema,
  type Page,
  type PageQuery,
} from '../../../http/response/pagination.js';
import { idPattern } from '../../../ids/id.js';
import {
  familyOperations,
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

/** Returns a controller for each operation that the family offers, documented from its schemas. */
export function resourceControllers(definition: ResourceDefinition): readonly Type[] {
  const { operations = familyOperations } = definition;
  return familyOperations
    .filter((operation) => operations.includes(operation))
    .map((operation) => controllers[operation](definition));
}

const controllers: Readonly<Record<FamilyOperation, (definition: ResourceDefinition) => Type>> = {
  create: createController,
  list: listController,
  get: getController,
  update: updateController,
  delete: deleteController,
};

function createController(definition: ResourceDefinition): Type {
  const { name, path, read, title, summary } = definition;
  const body = definition.create.safeExtend(repeatable(definition));
  // A body without required fields may be left out.
  const optionalBody = body.safeParse({}).success;
  const schema = optionalBody ? body.prefault({}) : body;

  @Controller(path)
  class CreateController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Post()
    @DocumentedPath(path)
    @Operation({
      id: `create${pascalCase(name)}`,
      access: 'change',
      summary: `Create ${withIndefiniteArticle(title.one)}`,
      description: summary,
      tag: title.many,
      status: 201,
      response: read,
      versioned: true,
      optionalBody,
    })
    create(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema }) attributes: Attributes,
    ): Promise<Versioned> {
      const service = this.service.within(parentIdIn(definition, parameters));
      return service.create(context, withoutRepeated(attributes, parameters));
    }
  }
  return CreateController;
}

function listController(definition: ResourceDefinition): Type {
  const { path, listKey, prefix, read, title, costlyList, filters = [] } = definition;
  const schema = z.strictObject({ ...pageParametersOf(idPattern(prefix)), ...filterParameters(filters) });

  @Controller(path)
  class ListController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Get()
    @DocumentedPath(path)
    @Operation({
      id: `list${pascalCase(title.many)}`,
      access: 'read',
      summary: `List ${title.many}`,
      tag: title.many,
      response: pageSchema(listKey, read),
      ...(costlyList && { costly: 'always' as const }),
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(schema) query: PageQuery & Readonly<Record<string, unknown>>,
    ): Promise<Page> {
      const { limit, before_id: beforeId } = query;
      assertCursor(prefix, beforeId);
      const parentId = parentIdIn(definition, parameters);
      const filtering = filteringOf(filters, query);
      const listed = await this.service.within(parentId).list(context, { limit: limit + 1, beforeId, filtering });
      const repeated = Object.fromEntries([...filtering].map(([{ name }, values]) => [name, values]));
      const address = { path: pathOf(definition, parentId), baseUrl: context.baseUrl, query: repeated };
      return page({ ...listed, limit, listKey, ...address });
    }
  }
  return ListController;
}

function getController(definition: ResourceDefinition): Type {
  const { name, path, read, title, summary } = definition;

  @Controller(path)
  class GetController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Get(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `get${pascalCase(name)}`,
      access: 'read',
      summary: `Get ${withIndefiniteArticle(title.one)}`,
      tag: title.many,
      tagDescription: summary,
      response: read,
      versioned: true,
    })
    get(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<Versioned> {
      return this.service.within(parentIdIn(definition, parameters)).get(context, parameters.id ?? '');
    }
  }
  return GetController;
}

function updateController(definition: ResourceDefinition): Type {
  const { name, path, read, title, operable } = definition;
  const schema = definition.update.safeExtend({ ...repeatable(definition), id: repeatedParameter });

  @Controller(path)
  class UpdateController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Patch(':id')
    @UseInterceptors(existenceFirst(definition))
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `update${pascalCase(name)}`,
      access: 'change',
      ...(operable && { partialAccess: { access: 'operate' as const, members: operable } }),
      summary: `Update ${withIndefiniteArticle(title.one)}`,
      description: 'Fields that are left out stay as they are. Null clears a nullable field.',
      tag: title.many,
      response: read,
      versioned: true,
    })
    update(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema }) body: Attributes,
    ): Promise<Versioned> {
      const service = this.service.within(parentIdIn(definition, parameters));
      return service.update(context, parameters.id ?? '', withoutRepeated(body, parameters));
    }
  }
  return UpdateController;
}

function deleteController(definition: ResourceDefinition): Type {
  const { name, path, title, deletesDependents } = definition;
  const query = z.strictObject(
    deletesDependents ? { [deletesDependents.parameter]: flag(deletesDependents.description) } : {},
  );

  @Controller(path)
  class DeleteController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Delete(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `delete${pascalCase(name)}`,
      access: 'change',
      summary: `Delete ${withIndefiniteArticle(title.one)}`,
      tag: title.many,
      status: 204,
      errors: ['still_referenced'],
    })
    delete(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(query) flags: z.infer<typeof query>,
    ): Promise<void> {
      const withDependents = Object.values(flags).includes('true');
      return this.service
        .within(parentIdIn(definition, parameters))
        .remove(context, parameters.id ?? '', withDependents);
    }
  }
  return DeleteController;
}

function flag(description: string) {
  return z.enum(['true', 'false']).optional().meta({ description });
}

/** The body field that may repeat the path parameter of the parent. */
export function repeatable({ parent }: ResourceDefinition) {
  return parent ? { [parent.parameter]: repeatedParameter } : {};
}

/** `ip_policy` and `IP policy` as `IpPolicy`. */
export function pascalCase(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
