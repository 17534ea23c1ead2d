import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, type Type } from '@nestjs/common';
import { z } from 'zod';
import { withIndefiniteArticle } from '../../events/indefinite-article.js';
import type { Versioned } from '../../http/etag.js';
import { Operation } from '../../http/openapi/operation.js';
import { assertCursor, page, pageQuery, pageSchema, type Page, type PageQuery } from '../../http/pagination.js';
import { QueryParameters } from '../../http/query-parameters.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { familyOperations, type Attributes, type FamilyOperation, type ResourceDefinition } from './definition.js';
import { DocumentedPath } from './documented-path.js';
import { pathOf } from './links.js';
import { parentIdIn, withoutRepeated, type PathParameters } from './path-parameters.js';
import { serviceToken, type ResourceService } from './resource-service.js';

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
  const schema = definition.create.safeExtend(repeatable(definition));

  @Controller(path)
  class CreateController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Post()
    @DocumentedPath(path)
    @Operation({
      id: `create${pascalCase(name)}`,
      summary: `Create ${withIndefiniteArticle(title.one)}`,
      description: summary,
      tag: title.many,
      status: 201,
      response: read,
      versioned: true,
    })
    create(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema }) body: Attributes,
    ): Promise<Versioned> {
      const service = this.service.within(parentIdIn(definition, parameters));
      return service.create(context, withoutRepeated(body, parameters));
    }
  }
  return CreateController;
}

function listController(definition: ResourceDefinition): Type {
  const { path, listKey, prefix, read, title, summary } = definition;

  @Controller(path)
  class ListController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Get()
    @DocumentedPath(path)
    @Operation({
      id: `list${pascalCase(title.many)}`,
      summary: `List ${title.many}`,
      tag: title.many,
      tagDescription: summary,
      response: pageSchema(listKey, read),
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(pageQuery) { limit, before_id: beforeId }: PageQuery,
    ): Promise<Page> {
      assertCursor(prefix, beforeId);
      const parentId = parentIdIn(definition, parameters);
      const items = await this.service.within(parentId).list(context, { limit: limit + 1, beforeId });
      return page({ items, limit, listKey, path: pathOf(definition, parentId), baseUrl: context.baseUrl });
    }
  }
  return ListController;
}

function getController(definition: ResourceDefinition): Type {
  const { name, path, read, title } = definition;

  @Controller(path)
  class GetController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Get(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `get${pascalCase(name)}`,
      summary: `Get ${withIndefiniteArticle(title.one)}`,
      tag: title.many,
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
  const { name, path, read, title } = definition;
  const schema = definition.update.safeExtend({ ...repeatable(definition), id: z.string().optional() });

  @Controller(path)
  class UpdateController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Patch(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `update${pascalCase(name)}`,
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
  const { name, path, title } = definition;

  @Controller(path)
  class DeleteController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Delete(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `delete${pascalCase(name)}`,
      summary: `Delete ${withIndefiniteArticle(title.one)}`,
      tag: title.many,
      status: 204,
      errors: ['still_referenced'],
    })
    delete(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<void> {
      return this.service.within(parentIdIn(definition, parameters)).remove(context, parameters.id ?? '');
    }
  }
  return DeleteController;
}

/** The body field that may repeat the path parameter of the parent. */
function repeatable({ parent }: ResourceDefinition) {
  return parent ? { [parent.parameter]: z.string().optional() } : {};
}

/** `ip_policy` and `IP policy` as `IpPolicy`. */
export function pascalCase(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
