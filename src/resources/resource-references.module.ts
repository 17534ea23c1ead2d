import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { families, familiesWithoutEvents } from './families.js';
import { References } from './framework/references.js';
import { resourceReferencesController } from './framework/resource-references-controller.js';
import { ResourcesModule } from './resources.module.js';

const definitions = [...families, ...familiesWithoutEvents].map(({ definition }) => definition);

/** Which resources refer to a resource, for each family. */
@Module({
  imports: [ResourcesModule],
  controllers: definitions.map(resourceReferencesController),
  providers: [
    { provide: References, inject: [DATABASE], useFactory: (db: Database) => new References(db, definitions) },
  ],
})
export class ResourceReferencesModule {}
