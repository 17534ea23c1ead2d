import type { Kysely } from 'kysely';
import { accounts } from './0001_baseline/accounts.js';
import { configurationFeed } from './0001_baseline/configuration-feed.js';
import { credentials } from './0001_baseline/credentials.js';
import { delivery } from './0001_baseline/delivery.js';
import { destinationMetrics } from './0001_baseline/destination-metrics.js';
import { erasures } from './0001_baseline/erasures.js';
import { events } from './0001_baseline/events.js';
import { exportsOfEvents } from './0001_baseline/exports.js';
import { installation } from './0001_baseline/installation.js';
import { proof } from './0001_baseline/proof.js';
import { publishing } from './0001_baseline/publishing.js';
import { resources } from './0001_baseline/resources.js';

/** No release knows less than this schema. */
export const additive = false;

/**
 * Creates the schema of the first release in an empty database. Each part has the tables of one subject; a part refers
 * to tables of the parts before it. docs/schema.md lists the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const parts = [
    accounts,
    resources,
    credentials,
    configurationFeed,
    publishing,
    events,
    delivery,
    destinationMetrics,
    exportsOfEvents,
    proof,
    erasures,
    installation,
  ];
  for (const part of parts) await part.execute(db);
}
