import { setTimeout as sleep } from 'node:timers/promises';
import { listen, type Handler, type Listening } from './listen.js';
import type { Identity } from './tls/certificate.js';

/** Retries for a port that another process holds for a moment. */
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** A port, and how to listen on it again. */
interface Listener {
  readonly port: number;
  readonly open: (port: number) => Promise<Listening>;
}

/** Listeners of a sandbox, which can stop and listen again on the same ports. */
export class Listeners {
  private known: Listener[] = [];
  private listening: Listening[] = [];
  private closed = false;

  /** Listens on `host` and `port` (0: a free port), with TLS if an identity is given. Returns the port. */
  async open(handler: Handler, host: string, port: number, identity?: Identity): Promise<number> {
    const open = (at: number) => listen(handler, host, at, identity);
    const listening = await open(port);
    this.listening.push(listening);
    this.known.push({ port: listening.port, open });
    return listening.port;
  }

  /** Stops for good and cuts open connections. */
  async close(): Promise<void> {
    this.closed = true;
    await this.stopListening();
  }

  /** Stops listening and cuts open connections. Idempotent. */
  async stopListening(): Promise<void> {
    await Promise.all(this.listening.splice(0).map((one) => one.close()));
  }

  /**
   * Listens again on the same ports.
   * @throws the error of the listener if a port stays in use
   */
  async resumeListening(): Promise<void> {
    if (this.closed || this.listening.length > 0) return;
    this.listening = await Promise.all(this.known.map(retake));
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
