import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { outboxSchema } from '@waybill/outbox';
import type { QueryResultRow } from 'pg';
import { runStatement } from '../../harness/database.js';
import { subscribe } from '../../harness/destinations.js';
import { Program } from '../../harness/program.js';
import { waitForArrival } from '../count/arrival.js';
import { countAll, type Count } from '../count/count.js';
import { orderTypes, readOutboxLog } from '../count/outbox-log.js';
import type { ScenarioEnvironment } from './scenario-environment.js';

const publisher = fileURLToPath(new URL('../processes/outbox-publisher.js', import.meta.url));
const stopAtResponse = new URL('../processes/stop-at-response.js', import.meta.url).href;
const cli = join(fileURLToPath(import.meta.resolve('@waybill/outbox')), '../cli.js');

/** Time without progress after which the outbox counts as stuck. */
const STUCK_MS = 300_000;

/** The database of an application that records events in an outbox, its relays, and the destinations of its events. */
export class Outbox {
  private constructor(
    private readonly environment: ScenarioEnvironment,
    private readonly url: string,
    /** Settings of the application and the relays. */
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts an api and a worker, creates the database and the resource type, and subscribes destinations. */
  static async open(environment: ScenarioEnvironment): Promise<Outbox> {
    const { postgres, processes } = environment;
    await processes.start('api');
    await processes.start('worker');
    const { api } = environment;
    const database = `outbox_${randomBytes(6).toString('hex')}`;
    const url = await postgres.createDatabase(database);
    await runStatement(url, outboxSchema());
    await runStatement(url, 'create table orders (id text primary key, revision integer not null)');
    await runStatement(url, 'create table ledger (order_id text, revision integer, primary key (order_id, revision))');
    await api.create('/resource_types', { name: 'order' });
    const { response } = await api.create('/api_keys', { role: 'publisher' });
    for (const kind of ['data_stream', 'monitoring'] as const) await environment.createDestination(kind);
    await subscribe(
      api,
      environment.destinations.map(({ id }) => id),
      orderTypes,
    );
    const settings = { DATABASE_URL: url, WAYBILL_URL: api.baseUrl, WAYBILL_API_KEY: String(response.body.token) };
    environment.onClose(() => postgres.dropDatabase(database));
    return new Outbox(environment, url, settings);
  }

  /**
   * Starts the application as the process `publisher`.
   * @param changes its number of committed changes; by default it ends when it is killed
   */
  startPublisher(changes?: number): void {
    this.start('publisher', [publisher], changes === undefined ? {} : { CHANGES: String(changes) });
  }

  /** Starts a relay. */
  startRelay(name: string): void {
    this.start(name, ['--import', stopAtResponse, cli, 'relay', '--lease-ms', '3000']);
  }

  /** Runs a statement in the database of the application. */
  query<Row extends QueryResultRow>(statement: string): Promise<readonly Row[]> {
    return runStatement<Row>(this.url, statement);
  }

  /** Returns the number of committed changes. */
  async committed(): Promise<number> {
    const [row] = await this.query<{ count: number }>('select count(*)::int as count from ledger');
    return row?.count ?? 0;
  }

  /** Returns the ids of the events that wait. */
  async waiting(): Promise<readonly string[]> {
    const rows = await this.query<{ event_id: string }>('select event_id::text from waybill_outbox.events');
    return rows.map(({ event_id: id }) => id);
  }

  /**
   * Waits until no event waits. A relay must run.
   * @throws Error after five minutes without progress
   */
  async drained(): Promise<void> {
    let before = Infinity;
    let progressAt = Date.now();
    for (;;) {
      const { length } = await this.waiting();
      if (length === 0) return;
      if (length < before) progressAt = Date.now();
      before = length;
      if (Date.now() - progressAt > STUCK_MS) throw new Error(`${length} events waited for five minutes.`);
      await sleep(200);
    }
  }

  /**
   * Waits until the outbox is empty and the events have arrived, and compares the arrivals with the ledger. Ends every
   * scenario. The application must have ended, and a relay and an api must run.
   */
  async verify(): Promise<Count> {
    const { environment } = this;
    await this.drained();
    const ledger = await this.query<{ order_id: string; revision: number }>('select order_id, revision from ledger');
    environment.log(`${ledger.length} committed changes were published; waiting for arrivals`);
    const { eventLog, phantoms, repeated } = await readOutboxLog(environment.api, ledger);
    environment.expect(phantoms === 0, `no change that was rolled back is published: ${phantoms} events`);
    environment.expect(repeated === 0, `each change is one event: ${repeated} repetitions`);
    const [rejected] = await this.query<{ count: number }>(
      'select count(*)::int as count from waybill_outbox.rejected',
    );
    environment.expect(rejected?.count === 0, `no event is rejected: ${rejected?.count} events`);
    await waitForArrival(environment, environment.destinations, eventLog.events.size);
    const counts = await environment.countArrivals(environment.destinations, eventLog);
    environment.note(`${ledger.length} changes committed`);
    return countAll(eventLog, new Set(), counts);
  }

  private start(name: string, args: readonly string[], settings: Readonly<Record<string, string>> = {}): void {
    const { processes } = this.environment;
    const options = { name, args, settings: { ...this.settings, ...settings }, logFile: processes.logFile(name) };
    processes.add(name, new Program(options));
  }
}
