import type { EventCatalogue } from '../catalogue/event-catalogue.js';
import { registeredPayloadSchema } from '../catalogue/registered-payload.js';
import { isJsonObject, type JsonObject } from '../envelope/json-object.js';
import type { ResourceTypeStore } from '../resource-types/resource-type-store.js';

/** The JSON Schemas of the payloads of an event type. */
export interface PayloadSchema {
  readonly payload: JsonObject;
  /** Of the object of a resource type, whose references begin there; null: any object. Absent for built-in types. */
  readonly registeredObject?: JsonObject | null;
}

/** Finds the schemas of payloads, built-in and registered. */
export class PayloadSchemas {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly types: Pick<ResourceTypeStore, 'byEventType'>,
  ) {}

  /** Returns the schema of an event type that can be a source; undefined when there is no such type. */
  async of(accountId: string, eventType: string): Promise<PayloadSchema | undefined> {
    const builtIn = this.catalogue.has(eventType) ? this.catalogue.schemaOf(eventType) : undefined;
    if (builtIn) return { payload: builtIn };
    const found = (await this.types.byEventType(accountId, [eventType])).get(eventType);
    if (!found) return undefined;
    const registeredObject: unknown = found.type.schema;
    return {
      payload: registeredPayloadSchema(this.catalogue, found),
      registeredObject: isJsonObject(registeredObject) ? registeredObject : null,
    };
  }
}
