import type { SourceRule } from '../../../events/rules/event-rule.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { notFound, Problem, relativeTo } from '../../../problems/problem.js';
import { uriOf } from '../../framework/definition/links.js';
import type { ResourceService } from '../../framework/service/resource-service.js';
import { eventSubscription, MAX_SOURCES, sourcesOf, toSourceResponse, type Source } from './event-subscription.js';

/** A source in a response. */
export type SourceResponse = ReturnType<typeof toSourceResponse>;

/** All sources of a subscription, on one page. */
export interface SourceList {
  readonly sources: readonly SourceResponse[];
  readonly uri: string;
}

function asSources(sources: readonly Source[]) {
  return { sources: [...sources] };
}

/** A change of a source: an absent member is kept. */
export type SourceChange = Partial<SourceRule>;

/**
 * The sources of a subscription. A change of a source is an update of the subscription, with the event
 * `event_subscription_updated.v0`.
 */
export class EventSources {
  constructor(private readonly subscriptions: Pick<ResourceService, 'update' | 'attributes'>) {}

  /** @throws Problem `not_found`, `conflict`, or `invalid_input` for a type that does not exist */
  async create(context: RequestContext, subscriptionId: string, source: Source): Promise<SourceResponse> {
    const { type } = source;
    try {
      await this.subscriptions.update(context, subscriptionId, (current) => {
        const sources = sourcesOf(current);
        if (sources.some((other) => other.type === type)) {
          throw conflict(`The event subscription ${subscriptionId} already has the source ${type}.`);
        }
        if (sources.length >= MAX_SOURCES) {
          throw conflict(
            `The event subscription ${subscriptionId} has ${MAX_SOURCES} sources, and none may have more: delete one, or create another subscription.`,
          );
        }
        return asSources([source, ...sources]);
      });
    } catch (error) {
      // The new source is the first of the subscription.
      throw relativeTo(error, '/sources/0');
    }
    return toSourceResponse(subscriptionId, source, context.baseUrl);
  }

  /** @throws Problem `not_found`, or `invalid_input` for a filter or fields that the source cannot have */
  async update(
    context: RequestContext,
    subscriptionId: string,
    type: string,
    change: SourceChange,
  ): Promise<SourceResponse> {
    let sources: readonly Source[] = [];
    let index = -1;
    try {
      await this.subscriptions.update(context, subscriptionId, (current) => {
        sources = sourcesOf(current).map((source) => (source.type === type ? { ...source, ...change } : source));
        index = sources.findIndex((source) => source.type === type);
        if (index === -1) throw notFound('event source', type);
        return asSources(sources);
      });
    } catch (error) {
      throw relativeTo(error, `/sources/${index}`);
    }
    // Not read again: another request may have changed or removed the source since.
    const changed = sources[index];
    if (!changed) throw notFound('event source', type);
    return toSourceResponse(subscriptionId, changed, context.baseUrl);
  }

  /** @throws Problem `not_found` */
  async list(context: RequestContext, subscriptionId: string): Promise<SourceList> {
    const sources = await this.sourcesOf(context, subscriptionId);
    return {
      sources: sources.map((source) => toSourceResponse(subscriptionId, source, context.baseUrl)),
      uri: `${uriOf(eventSubscription, subscriptionId, context.baseUrl)}/sources`,
    };
  }

  /** @throws Problem `not_found` */
  async get(context: RequestContext, subscriptionId: string, type: string): Promise<SourceResponse> {
    const found = (await this.sourcesOf(context, subscriptionId)).find((source) => source.type === type);
    if (!found) throw notFound('event source', type);
    return toSourceResponse(subscriptionId, found, context.baseUrl);
  }

  /** @throws Problem `not_found` */
  async remove(context: RequestContext, subscriptionId: string, type: string): Promise<void> {
    await this.subscriptions.update(context, subscriptionId, (current) => {
      const sources = sourcesOf(current);
      if (!sources.some((source) => source.type === type)) throw notFound('event source', type);
      return asSources(sources.filter((source) => source.type !== type));
    });
  }

  private async sourcesOf(context: RequestContext, subscriptionId: string): Promise<readonly Source[]> {
    return sourcesOf(await this.subscriptions.attributes(context, subscriptionId));
  }
}

function conflict(detail: string): Problem {
  return new Problem('conflict', 'conflict', detail);
}
