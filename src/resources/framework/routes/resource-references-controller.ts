import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import { z } from 'zod';
import { withIndefiniteArticle } from '../../../events/catalogue/indefinite-article.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import {
  cursor,
  limitParameter,
  page,
  pageSchema,
  type Page,
  type PageQuery,
} from '../../../http/response/pagination.js';
import { idPattern } from '../../../ids/id.js';
import { pascalCase, type ResourceDefinition } from '../definition/definition.js';
import { pathOf } from '../definition/links.js';
import { References } from '../service/references.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { DocumentedPath } from './documented-path.js';
import { parentIdIn, type PathParameters } from './path-parameters.js';

const referenceSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the resource that refers to this one.' }),
    uri: z.string().meta({ description: 'Its address.' }),
    family: z
      .string()
      .meta({ description: 'Its family, as its event types begin: `ip_policy_rule`.', example: 'ip_policy_rule' }),
    fields: z.array(z.string()).meta({
      description:
        'Its members that hold the id of this resource, as dotted paths: `ip_policy`, or `backend.backend` for a member of a module.',
      example: ['ip_policy'],
    }),
  })
  .meta({ id: 'Reference' });

const pageOfReferences = pageSchema('references', referenceSchema).extend({
  references: z.array(referenceSchema).meta({ description: 'By id, descending: of each family, newest first.' }),
});

const referencesQuery = z.strictObject({
  limit: limitParameter,
  before_id: cursor(
    idPattern('[a-z]+'),
    'is not an id of a resource',
    'Returns only resources whose ids are lower than this one. `next_page_uri` contains it.',
  ),
});

/** Returns the controller of the references to one resource. */
export function resourceReferencesController(definition: ResourceDefinition): Type {
  const { name, path, title } = definition;

  @Controller(path)
  class ResourceReferencesController {
    constructor(
      @Inject(serviceToken(definition)) private readonly service: ResourceService,
      @Inject(References) private readonly references: References,
    ) {}

    @Get(':id/references')
    @DocumentedPath(`${path}/:id/references`)
    @Operation({
      id: `list${pascalCase(name)}References`,
      access: 'read',
      summary: `List the resources that refer to ${withIndefiniteArticle(title.one)}`,
      description:
        'A resource that is a part of another one refers to it. The list has each resource once, with all members that hold the id.',
      tag: title.many,
      response: pageOfReferences,
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(referencesQuery) query: PageQuery,
    ): Promise<Page> {
      const { id = '' } = parameters;
      const { limit, before_id: beforeId } = query;
      const parentId = parentIdIn(definition, parameters);
      // Throws `not_found`.
      await this.service.within(parentId).attributes(context, id);
      const items = await this.references.to(context, definition, id, { limit: limit + 1, beforeId });
      const address = { path: `${pathOf(definition, parentId)}/${id}/references`, baseUrl: context.baseUrl };
      return page({ items, limit, listKey: 'references', ...address });
    }
  }
  return ResourceReferencesController;
}
