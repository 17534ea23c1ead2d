import { setTimeout as sleep } from 'node:timers/promises';
import { Waybill } from '@waybill/client';
import { ExportedEvents, reconcile, type DeliveryRecord } from '@waybill/reconcile';
import { until } from '../../harness/until.js';
import { total, type Count } from '../count/count.js';
import { isFor } from './destination.js';
import type { ScenarioEnvironment } from './scenario-environment.js';

/** Limit for a new epoch, and for its start in every lane. */
const TIMEOUT_MS = 300_000;

interface InstallationRow {
  readonly epoch: string;
  readonly reason: string;
  readonly waiting: string;
}

/**
 * Waits until an epoch after `before` is on record and started in every lane, and checks how it was noticed.
 * @returns the epoch
 */
export async function waitForEpoch(environment: ScenarioEnvironment, before: number, reason: string): Promise<number> {
  const begun = Date.now();
  for (;;) {
    const row = await installation(environment).catch(() => null);
    const epoch = Number(row?.epoch);
    if (row && epoch > before && Number(row.waiting) === 0) {
      environment.expect(row.reason === reason, `the epoch begins for the reason ${reason}: ${row.reason}`);
      environment.log(`epoch ${epoch} (${row.reason}) is started in every lane`);
      environment.note(
        `the epoch was started ${((Date.now() - begun) / 1_000).toFixed(1)} s after the fault (${row.reason})`,
      );
      return epoch;
    }
    if (Date.now() - begun > TIMEOUT_MS)
      throw new Error(`No epoch was started within five minutes: ${JSON.stringify(row)}`);
    await sleep(200);
  }
}

/**
 * Waits until every destination has received more events: those that the database is about to lose.
 * @throws Error after five minutes without
 */
export async function waitForDeliveries(environment: ScenarioEnvironment): Promise<void> {
  const received = async (): Promise<readonly number[]> => {
    const counts = await environment.sandbox.counts();
    return environment.destinations.map((destination) =>
      counts.filter((count) => isFor(destination, count)).reduce((sum, { events }) => sum + events, 0),
    );
  };
  const before = await received();
  await until(
    async () => (await received()).every((events, index) => events >= (before[index] ?? 0) + 10),
    'every destination received ten more events',
  );
}

/** Returns the epoch on record. */
export async function currentEpoch(environment: ScenarioEnvironment): Promise<number> {
  return Number((await installation(environment))?.epoch);
}

async function installation(environment: ScenarioEnvironment): Promise<InstallationRow | undefined> {
  const [row] = await environment.query<InstallationRow & Record<string, unknown>>(
    `select epoch, reason, (select count(*) from delivery_lanes l where l.epoch < i.epoch) as waiting from installation i`,
  );
  return row;
}

/** Checks that the fault left undone events at every destination, and that a reconciliation reports them. */
export async function expectUndoneEvents(environment: ScenarioEnvironment, count: Count): Promise<void> {
  environment.note(`${total(count, 'undone')} undone events`);
  const received = await environment.sandbox.allReceived();
  const { eventDestinations } = new Waybill({ url: environment.api.baseUrl, key: environment.token });
  for (const [index, destination] of environment.destinations.entries()) {
    const undone = count.destinations[index]?.undone ?? 0;
    environment.expect(undone > 0, `undone events arrived at ${destination.kind}`);
    const exported = new ExportedEvents();
    for (const event of received) if (isFor(destination, event)) exported.add(event.body);
    const records = {
      status: () => eventDestinations.getStatus(destination.id),
      deliveries: (state: DeliveryRecord['state']) =>
        eventDestinations.listDeliveries(destination.id, { state, limit: 100 }) as AsyncIterable<DeliveryRecord>,
    };
    const found = await reconcile(exported, records, { from: 1, exportedAt: new Date() });
    environment.expect(
      found.accounted_for && found.undone.length > 0 && found.undone.length <= undone,
      `reconcile accounts for every number of ${destination.kind} and reports its undone events: ${found.undone.length} of ${undone} arrivals, ${found.missing.length} missing, ${found.contradictions.join(' ')}`,
    );
  }
}
