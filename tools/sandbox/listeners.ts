import { setTimeout as sleep } from 'node:timers/promises';
import { listen, type Handler, type Listening } from './listen.js';
import type { Identity } from './tls/certificate.js';

/** How often and how long apart a port is tried that is to be taken again: somebody may have it for a moment. */
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** What is behind a door: how to listen there once more. */
interface Listener {
  readonly port: number;
  readonly open: (port: number) => Promise<Listening>;
}

/** The listeners of a sandbox, which can go away and come back on the same ports. */
export class Listeners {
  private doors: Listener[] = [];
  private listening: Listening[] = [];
  private closed = false;

  /** Listens for `handler` on `host` and `port` (0: a free one), over TLS where it is given an identity. Gives the port. */
  async open(handler: Handler, host: string, port: number, identity?: Identity): Promise<number> {
    const open = (at: number) => listen(handler, host, at, identity);
    const listening = await open(port);
    this.listening.push(listening);
    this.doors.push({ port: listening.port, open });
    return listening.port;
  }

  /** Stops listening and cuts what is open, for good. */
  async close(): Promise<void> {
    this.closed = true;
    await this.leave();
  }

  /** The same until `comeBack`. Twice is as good as once. */
  async leave(): Promise<void> {
    await Promise.all(this.listening.splice(0).map((one) => one.close()));
  }

  /**
   * Listens again where it did before `leave`.
   * @throws the listener's error where a port stays taken.
   */
  async comeBack(): Promise<void> {
    if (this.closed || this.listening.length > 0) return;
    this.listening = await Promise.all(this.doors.map(retake));
  }
}

async function retake({ port, open }: Listener): Promise<Listening> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open(port);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await sleep(BETWEEN_TRIES_MS);
    }
  }
}
