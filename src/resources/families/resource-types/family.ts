import { EventCatalogue } from '../../../events/catalogue/event-catalogue.js';
import { ObjectSchemas } from '../../../events/resource-types/schemas/object-schemas.js';
import { defineFamily } from '../../framework/definition/family.js';
import { ResourceTypeBehaviour } from './resource-type-behaviour.js';
import { resourceType } from './resource-type.js';

/** Resource types of the account. */
export const resourceTypes = defineFamily({
  definition: resourceType,
  behaviour: {
    inject: [EventCatalogue, ObjectSchemas],
    create: (catalogue, schemas) => new ResourceTypeBehaviour(catalogue, schemas),
  },
});
