import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseStore } from './lease-store.js';
import { Lease } from './lease.js';
import { Notifications } from './notifications.js';
import { Publisher } from './publisher.js';
import { RelayDatabase } from './relay-database.js';
import { RelayLoop, type RelayHealth } from './relay-loop.js';
import { relaySettings, type RelayOptions } from './relay-options.js';
import { assertSchemaVersion } from './schema-version.js';
import { SettlementStore } from './settlement-store.js';
import { StatusStore, type RelayStatus } from './status-store.js';
import { WaitingEventsStore } from './waiting-events-store.js';
import { Wake } from './wake.js';

/** A running relay. */
export interface Relay {
  /** Returns the state of the outbox, whichever relay publishes. */
  status(): Promise<RelayStatus>;
  /** Returns whether this relay works. */
  health(): RelayHealth;
  /**
   * Stops publishing. Waits for the request in flight, at most until its timeout, writes its result, and gives up the
   * lease. The pool stays open. Further calls return the same promise.
   */
  stop(): Promise<void>;
  /**
   * Waits until every event that is committed at the call is published, rejected, or held by a rejected event of its
   * resource. Any relay may do the work.
   * @throws the error of the database, or Error if the relay is stopped before that
   */
  drained(): Promise<void>;
}

/** Time between two checks of `drained`, in milliseconds. */
const DRAINED_POLL_MS = 50;

/**
 * Starts a relay: it publishes the events of the outbox until `stop`. Several relays of one outbox take turns.
 * @throws TypeError for an invalid option
 */
export function startRelay(options: RelayOptions): Relay {
  const settings = relaySettings(options);
  const { pool, logger } = settings;
  const database = new RelayDatabase(pool);
  const events = new WaitingEventsStore(database);
  const status = new StatusStore(database);
  const [news, stopping] = [new Wake(), new Wake()];
  // Without a listener, an idle connection that breaks would end the process.
  const onPoolError = (error: Error): void => logger.debug({ reason: error.message }, 'outbox lost an idle connection');
  pool.on('error', onPoolError);
  const lease = new Lease(new LeaseStore(database), settings.leaseMs);
  const loop = new RelayLoop({
    settings,
    events,
    settlement: new SettlementStore(database, lease.holder),
    status,
    checkSchema: () => assertSchemaVersion(database),
    lease,
    publisher: new Publisher(settings),
    news,
    stopping,
  });
  // The connection of LISTEN must not be the last one.
  const notifications = (pool.options.max ?? 10) > 1 ? new Notifications(pool, () => news.call()) : null;
  const running = loop.run();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    loop.stop();
    await Promise.all([running, notifications?.close()]);
    pool.off('error', onPoolError);
  };
  return {
    status: () => status.status(),
    health: () => loop.health,
    stop: () => (stopped ??= stop()),
    drained: async () => {
      const last = await events.lastPosition();
      if (last === null) return;
      // The floor saves time. A retried event is below it until the next look of the relay.
      const waits = async (): Promise<boolean> =>
        (await events.waitsUpTo(loop.floorPosition, last)) || events.waitsUpTo(0n, last);
      while (await waits()) {
        if (stopped) throw new Error('The relay was stopped before the outbox was empty.');
        await sleep(DRAINED_POLL_MS);
      }
    },
  };
}
