import { Controller, Get, Inject, Param, type Type } from '@nestjs/common';
import { withIndefiniteArticle } from '../../../events/catalogue/indefinite-article.js';
import { resourceHistoryQuery, type ResourceHistoryQuery } from '../../../events/log/event-filter.js';
import { eventPageSchema } from '../../../events/log/event-log.js';
import { EventSearch } from '../../../events/log/event-search.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import type { Page } from '../../../http/response/pagination.js';
import { Problem } from '../../../problems/problem.js';
import { pascalCase, type ResourceDefinition } from '../definition/definition.js';
import { pathOf } from '../definition/links.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { DocumentedPath } from './documented-path.js';
import { parentIdIn, type PathParameters } from './path-parameters.js';

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
      description:
        'The history of the resource. It remains after the deletion of the resource, as long as its events. Published events are no part of it, whatever their `resource_id` is.',
      tag: title.many,
      response: eventPageSchema,
      costly: 'always',
    })
    async list(
      @Context() context: RequestContext,
      @Param() parameters: PathParameters,
      @QueryParameters(resourceHistoryQuery) query: ResourceHistoryQuery,
    ): Promise<Page> {
      const { id = '' } = parameters;
      const parentId = parentIdIn(definition, parameters);
      await this.assertKnown(context, id, parentId);
      const address = `${pathOf(definition, parentId)}/${id}/events`;
      return this.events.history(context, id, query, address);
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
      const deletion = await this.events.newestOf(context, id, `${name}_deleted.v0`);
      if (deletion === null) return true;
      if (deletion === undefined) return false;
      if (!definition.parent) return true;
      const { object }: { object: Readonly<Record<string, unknown>> } = JSON.parse(deletion.payload);
      return object[definition.parent.parameter] === parentId;
    }
  }
  return ResourceHistoryController;
}
