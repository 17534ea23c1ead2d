import { compileValidator } from '../../../events/registered-types/object-validator.js';
import { TypeVersionStore } from '../../../events/registered-types/type-version-store.js';
import { invalidInput, Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { typeAttributesOf } from './resource-type.js';

/** Checks the definition of a resource type, and writes what its events depend on. */
export class ResourceTypeBehaviour implements ResourceBehaviour {
  prepare({ attributes }: PendingChange): Attributes {
    const { name, schema } = typeAttributesOf(attributes);
    try {
      compileValidator(schema);
    } catch (error) {
      throw invalidInput([{ pointer: '/schema', detail: error instanceof Error ? error.message : 'is invalid' }]);
    }
    return { ...attributes, title: attributes.title ?? name.replaceAll('_', ' ') };
  }

  /** @throws Problem `conflict` when another type of the account has one of the event types */
  async afterWrite({ trx, row }: WrittenChange): Promise<void> {
    const { version, ...definition } = typeAttributesOf(row.attributes);
    const written = { accountId: row.accountId, typeId: row.id, version, revision: row.version, definition };
    const taken = await new TypeVersionStore(trx).write(written);
    if (taken.length === 0) return;
    const detail = `Other resource types of the account have the event names ${taken.join(', ')}. Choose another name or other actions.`;
    throw new Problem('conflict', 'conflict', detail);
  }
}
