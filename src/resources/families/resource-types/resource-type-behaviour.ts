import { isDeepStrictEqual } from 'node:util';
import type { EventCatalogue } from '../../../events/catalogue/event-catalogue.js';
import { isJsonObject } from '../../../events/envelope/json-object.js';
import { eventNameOf } from '../../../events/resource-types/event-type-name.js';
import { redactionErrors } from '../../../events/resource-types/redaction-errors.js';
import type { ObjectSchemas } from '../../../events/resource-types/schemas/object-schemas.js';
import { MOST_VERSIONS, TypeVersionStore } from '../../../events/resource-types/type-version-store.js';
import { MAX_ERRORS } from '../../../http/problems/input-errors.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { invalidInput, Problem, type InputError } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { typeAttributesOf, type TypeAttributes } from './resource-type.js';
import { versionErrors } from './version-errors.js';

/** Checks the definition of a resource type, and writes what its events depend on. */
export class ResourceTypeBehaviour implements ResourceBehaviour {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly schemas: Pick<ObjectSchemas, 'schemaErrors'>,
  ) {}

  async beforeCreate(body: Attributes, context: RequestContext): Promise<Attributes> {
    await this.beforeUpdate(body, context);
    return body;
  }

  /** Checks the schema, which takes time. The other checks wait for the transaction. */
  async beforeUpdate({ schema }: Attributes, { accountId }: RequestContext): Promise<void> {
    if (!isJsonObject(schema)) return;
    const errors = await this.schemas.schemaErrors(accountId, schema);
    if (errors.length > 0) throw invalidInput(below('/schema', errors));
  }

  prepare({ before, attributes }: PendingChange): Attributes {
    const type = typeAttributesOf(attributes);
    const stored = before && typeAttributesOf(before.attributes);
    const errors = [...this.nameErrors(type, stored), ...redactionErrorsOf(type, stored)];
    if (errors.length === 0 && stored) errors.push(...versionErrors(stored, type));
    if (errors.length > 0) throw invalidInput(errors.slice(0, MAX_ERRORS));
    return { ...attributes, title: attributes.title ?? type.name.replaceAll(/[._]/g, ' ') };
  }

  /** @throws Problem `conflict` when another type of the account has one of the event types */
  async afterWrite({ trx, row }: WrittenChange): Promise<void> {
    const { version, ...definition } = typeAttributesOf(row.attributes);
    const written = { accountId: row.account_id, typeId: row.id, version, revision: row.version, definition };
    const { versions, taken } = await new TypeVersionStore(trx).write(written);
    if (taken.length > 0) {
      const detail = `Other resource types of the account have the event names ${taken.join(', ')}. Choose another name or other actions.`;
      throw new Problem('conflict', detail);
    }
    if (versions > MOST_VERSIONS) {
      const detail = `A resource type has at most ${MOST_VERSIONS} versions. Create another type.`;
      throw new Problem('conflict', detail);
    }
  }

  /** Only new names are checked: a later release may have more built-in ones. */
  private nameErrors({ name, actions }: TypeAttributes, stored: TypeAttributes | null): readonly InputError[] {
    if (stored === null && this.catalogue.isReservedName(name))
      return [{ pointer: '/name', detail: reservedNameDetail(name) }];
    return actions.flatMap((action, index) => {
      const eventName = eventNameOf(name, action);
      if (stored?.actions.includes(action) || !this.catalogue.isReservedEventName(eventName)) return [];
      return [{ pointer: `/actions/${index}`, detail: `${eventName} is the name of a built-in event` }];
    });
  }
}

function reservedNameDetail(name: string): string {
  const reserved = `${name} is reserved for built-in resources`;
  return name.includes('.') ? reserved : `${reserved}: put a namespace of your own before it, such as shop.${name}`;
}

function redactionErrorsOf({ schema, redact }: TypeAttributes, stored: TypeAttributes | null): readonly InputError[] {
  if (stored && isDeepStrictEqual([schema, redact], [stored.schema, stored.redact])) return [];
  return below('/redact', redactionErrors(redact, schema));
}

function below(field: string, errors: readonly InputError[]): readonly InputError[] {
  return errors.map(({ pointer, detail }) => ({ pointer: `${field}${pointer}`, detail }));
}
