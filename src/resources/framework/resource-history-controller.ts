import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import type { z } from 'zod';
import { eventPageSchema } from '../../events/event-log.js';
import { withIndefiniteArticle } from '../../events/indefinite-article.js';
import { resourceHistoryQuery } from '../../events/search/event-filter.js';
import { EventSearch } from '../../events/search/event-search.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Page } from '../../http/pagination.js';
import { QueryParameters } from '../../http/query-parameters.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Problem } from '../../problems/problem.js';
import type { ResourceDefinition } from './definition.js';
import { DocumentedPath } from './documented-path.js';
import { pathOf } from './links.js';
import { parentIdIn, type PathParameters } from './path-parameters.js';
import { pascalCase } from './resource-controllers.js';
import { serviceToken, type ResourceService } from './resource-service.js';

/** Returns the controller of the events of one resource, which remain after its deletion. */
export function resourceHistoryController(definition: ResourceDefinition): Type {
  const { name, path, title } = definition;

  @Controller(path)
  class ResourceHistoryController {
    constructor(
      @Inject(serviceToken(definition)) private readonly service: ResourceService,
      @Inject(EventSearch) private readonly events: EventSearch,
    ) {}

    @Get(':id/events')
    @DocumentedPath(`${path}/:id/events`)
    @Operation({
      id: `list${pascalCase(name)}Events`,
      access: 'read',
      summary: `List the events of ${withIndefiniteArticle(title.one)}`,
      description: 'The history of the resource. It remains after the deletion of the resource, as long as its events.',
      tag: title.many,
      response: eventPageSchema,
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(resourceHistoryQuery) query: z.infer<typeof resourceHistoryQuery>,
    ): Promise<Page> {
      const { id = '' } = parameters;
      const parentId = parentIdIn(definition, parameters);
      await this.assertKnown(context, id, parentId);
      const address = `${pathOf(definition, parentId)}/${id}/events`;
      return this.events.search(context, { ...query, object_id: id }, address, ['object_id']);
    }

    /** @throws Problem `not_found` when neither the resource nor an event of it exists */
    private async assertKnown(context: RequestContext, id: string, parentId: string | null): Promise<void> {
      try {
        await this.service.within(parentId).get(context, id);
      } catch (error) {
        if (!(error instanceof Problem) || error.kind !== 'not_found') throw error;
        if (!(await this.wasDeleted(context, id, parentId))) throw error;
      }
    }

    /** Whether the last event of a resource is of this family and of this parent. */
    private async wasDeleted(context: RequestContext, id: string, parentId: string | null): Promise<boolean> {
      const last = await this.events.newestOf(context, id);
      if (last?.type !== `${name}_deleted.v0`) return false;
      if (!definition.parent) return true;
      const { object }: { object: Readonly<Record<string, unknown>> } = JSON.parse(last.payload);
      return object[definition.parent.parameter] === parentId;
    }
  }
  return ResourceHistoryController;
}
