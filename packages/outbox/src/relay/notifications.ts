import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { giveBack, takeOut } from '../checked-out.js';
import { Backoff } from './backoff.js';
import { within } from './within.js';

/** Time between two checks of a silent connection: a firewall may have forgotten it. */
const CHECK_MS = 60_000;
/** Longest time of a check. */
const TIMEOUT_MS = 30_000;

/**
 * Listens to the notifications of new events on a connection of its own. A lost connection is replaced. Behind a pooler
 * that does not support LISTEN, no notification arrives, and the relay polls.
 */
export class Notifications {
  private readonly closing = new AbortController();
  private readonly closed = new Promise<null>((resolve) => {
    this.closing.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  private readonly running: Promise<void>;

  /** @param notify called at each notification, and when some may have been missed */
  constructor(
    private readonly pool: Pool,
    private readonly notify: () => void,
  ) {
    this.running = this.run();
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const backoff = new Backoff();
    while (!this.closing.signal.aborted) {
      try {
        await this.listen(() => backoff.reset());
      } catch {
        // The relay polls until the next connection. Its own statements report the outage.
      }
      await this.pause(backoff.next());
    }
  }

  /** Returns when the connection has ended, or at `close`. */
  private async listen(listening: () => void): Promise<void> {
    const connecting = takeOut(this.pool);
    const client = await Promise.race([connecting, this.closed]);
    if (client === null) {
      connecting.then((late) => giveBack(late, true)).catch(() => {});
      return;
    }
    const lost = new Promise<null>((resolve) => {
      client.once('end', () => resolve(null));
      client.on('error', () => resolve(null));
    });
    client.on('notification', this.notify);
    try {
      await within(TIMEOUT_MS, 'LISTEN did not succeed', client.query('listen waybill_outbox'));
      listening();
      this.notify();
      await this.stay(client, lost);
    } finally {
      // A connection with LISTEN must not return to the pool.
      giveBack(client, true);
    }
  }

  private async stay(client: PoolClient, lost: Promise<null>): Promise<void> {
    for (;;) {
      const checkAt = this.pause(CHECK_MS).then(() => 'check' as const);
      if ((await Promise.race([checkAt, lost, this.closed])) === null) return;
      await within(TIMEOUT_MS, 'The connection for LISTEN did not respond', client.query('select 1'));
    }
  }

  /** Waits, but not beyond `close`. */
  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => {});
  }
}
