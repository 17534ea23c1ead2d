import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, type Type } from '@nestjs/common';
import { z } from 'zod';
import { withIndefiniteArticle } from '../../events/indefinite-article.js';
import type { Versioned } from '../../http/etag.js';
import { Operation } from '../../http/openapi/operation.js';
import {
  assertCursor,
  page,
  pageQuery,
  pageSchema,
  type Page,
  type PageQuery,
} from '../../http/pagination.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import {
  familyOperations,
  type Attributes,
  type FamilyOperation,
  type ResourceDefinition,
} from './definition.js';
import { DocumentedPath } from './documented-path.js';
import { pathOf } from './links.js';
import { withoutRepeated } from './path-parameters.js';
import type { ResourceService } from './resource-service.js';

/** The parameters of a path, by name. */
type PathParameters = Readonly<Record<string, string>>;

/** The injection token of a family's service. */
export function serviceToken(definition: ResourceDefinition): string {
  return `resource-service:${definition.name}`;
}

/** The controller of a family: those of create, list, get, update, delete that it has, documented from its schemas. */
export function resourceController(definition: ResourceDefinition): Type {
  const { path, listKey, prefix, read, title, summary: description } = definition;
  const one = camelCase(definition.name);
  const tag = title.many;
  const parameter = definition.parent?.parameter ?? '';
  const repeated = parameter === '' ? {} : { [parameter]: z.string().optional() };
  const create = definition.create.safeExtend(repeated);
  const update = definition.update.safeExtend({ ...repeated, id: z.string().optional() });
  const answers = { tag, answer: read, versioned: true };

  @Controller(path)
  class ResourceController {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    @Post()
    @DocumentedPath(path)
    @Operation({
      ...answers,
      id: `create${one}`,
      summary: `Create ${withIndefiniteArticle(title.one)}`,
      description,
      status: 201,
    })
    create(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema: create }) body: Attributes,
    ): Promise<Versioned> {
      return this.within(parameters).create(context, withoutRepeated(body, parameters));
    }

    @Get()
    @DocumentedPath(path)
    @Operation({
      id: `list${camelCase(wordsOf(title.many))}`,
      summary: `List ${title.many}`,
      tag,
      tagDescription: description,
      answer: pageSchema(listKey, read),
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Query({ schema: pageQuery }) query: PageQuery,
    ): Promise<Page> {
      const { limit, before_id: beforeId } = query;
      assertCursor(prefix, beforeId);
      const items = await this.within(parameters).list(context, { limit: limit + 1, beforeId });
      const listPath = pathOf(definition, parameters[parameter] ?? null);
      return page({ items, limit, listKey, path: listPath, baseUrl: context.baseUrl });
    }

    @Get(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({ ...answers, id: `get${one}`, summary: `Get ${withIndefiniteArticle(title.one)}` })
    get(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<Versioned> {
      return this.within(parameters).get(context, parameters.id ?? '');
    }

    @Patch(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      ...answers,
      id: `update${one}`,
      summary: `Update ${withIndefiniteArticle(title.one)}`,
      description: 'What is left out stays as it is; null clears a field that can be null.',
    })
    update(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @Body({ schema: update }) body: Attributes,
    ): Promise<Versioned> {
      return this.within(parameters).update(context, parameters.id ?? '', withoutRepeated(body, parameters));
    }

    @Delete(':id')
    @DocumentedPath(`${path}/:id`)
    @Operation({
      id: `delete${one}`,
      summary: `Delete ${withIndefiniteArticle(title.one)}`,
      tag,
      status: 204,
      errors: ['still_referenced'],
    })
    delete(@Context() context: RequestContext, @Param() parameters: PathParameters): Promise<void> {
      return this.within(parameters).remove(context, parameters.id ?? '');
    }

    private within(parameters: PathParameters): ResourceService {
      return this.service.within(parameters[parameter] ?? null);
    }
  }
  Object.defineProperty(ResourceController, 'name', { value: `${one}Controller` });
  const offered: readonly FamilyOperation[] = definition.operations ?? familyOperations;
  for (const operation of familyOperations) {
    // Nest finds the routes of a controller by its methods.
    if (!offered.includes(operation)) Reflect.deleteProperty(ResourceController.prototype, operation);
  }
  return ResourceController;
}

/** `IP policies` as `ip_policies`. */
function wordsOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

/** `ip_policy` as `IpPolicy`. */
export function camelCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
