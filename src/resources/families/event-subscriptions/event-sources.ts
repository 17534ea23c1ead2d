import type { RequestContext } from '../../../http/request-context.js';
import { notFound, Problem, withPointers } from '../../../problems/problem.js';
import { uriOf } from '../../framework/links.js';
import type { ResourceService } from '../../framework/resource-service.js';
import { eventSubscription, toSourceResponse, sourceTypes } from './event-subscription.js';

/** A source in a response. */
export type SourceResponse = ReturnType<typeof toSourceResponse>;

/** All sources of a subscription, on one page. */
export interface SourceList {
  readonly sources: readonly SourceResponse[];
  readonly uri: string;
}

function asSources(types: readonly string[]) {
  return { sources: types.map((type) => ({ type })) };
}

/**
 * The sources of a subscription. A change of a source is an update of the subscription, with the event
 * `event_subscription_updated.v0`.
 */
export class EventSources {
  constructor(private readonly subscriptions: ResourceService) {}

  /** @throws Problem `not_found`, `conflict`, or `invalid_input` for a type that does not exist */
  async create(context: RequestContext, subscriptionId: string, type: string): Promise<SourceResponse> {
    try {
      await this.subscriptions.update(context, subscriptionId, (current) => {
        const types = sourceTypes(current);
        if (types.includes(type)) {
          throw new Problem(
            'conflict',
            'conflict',
            `The event subscription ${subscriptionId} already has the source ${type}.`,
          );
        }
        return asSources([type, ...types]);
      });
    } catch (error) {
      // The new source is the first of the subscription, and the body of the request is the source.
      throw error instanceof Problem ? withPointers(error, (pointer) => pointer.replace(/^\/sources\/0/, '')) : error;
    }
    return toSourceResponse(subscriptionId, type, context.baseUrl);
  }

  /** @throws Problem `not_found` */
  async list(context: RequestContext, subscriptionId: string): Promise<SourceList> {
    const types = await this.typesOf(context, subscriptionId);
    return {
      sources: types.map((type) => toSourceResponse(subscriptionId, type, context.baseUrl)),
      uri: `${uriOf(eventSubscription, subscriptionId, context.baseUrl)}/sources`,
    };
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, subscriptionId: string, type: string): Promise<SourceResponse> {
    const types = await this.typesOf(context, subscriptionId);
    if (!types.includes(type)) throw notFound('event source', type);
    return toSourceResponse(subscriptionId, type, context.baseUrl);
  }

  /** @throws Problem `not_found` */
  async remove(context: RequestContext, subscriptionId: string, type: string): Promise<void> {
    await this.subscriptions.update(context, subscriptionId, (current) => {
      const types = sourceTypes(current);
      if (!types.includes(type)) throw notFound('event source', type);
      return asSources(types.filter((other) => other !== type));
    });
  }

  private async typesOf(context: RequestContext, subscriptionId: string): Promise<readonly string[]> {
    return sourceTypes(await this.subscriptions.attributes(context, subscriptionId));
  }
}
