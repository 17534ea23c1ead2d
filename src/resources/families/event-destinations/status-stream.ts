import { Readable } from 'node:stream';
import type { LaneView } from '../../../delivery/views/lane-view-store.js';
import { toStatusResponse } from './destination-status.js';

/** How long an EventSource waits before it connects again, in milliseconds. */
const RECONNECT_MS = 2_000;

/** Who opens a stream. */
export interface StreamOwner {
  readonly accountId: string;
  /** Id of the API key, also of a session. */
  readonly keyId: string;
  /** Base of the addresses in the stream. */
  readonly baseUrl: string;
  /** Whether the key and the session still permit the stream. */
  readonly isCurrent: () => Promise<boolean>;
}

/** The stream of one client. What it holds for a client that reads slowly is one event at most. */
export class StatusStream extends Readable {
  /** Whether the client has missed events: it gets all statuses when it has read what was sent. */
  private isBehind = false;
  private isFull = false;
  private isOver = false;

  /** @param statuses returns every status, as it was read last */
  constructor(
    readonly owner: StreamOwner,
    private readonly statuses: () => readonly LaneView[],
    private readonly onOver: (stream: StatusStream) => void,
  ) {
    super();
    this.once('close', () => this.end());
    this.send(`retry: ${RECONNECT_MS}\n\n`);
  }

  override _read(): void {
    this.isFull = false;
    if (this.isBehind) this.showAll();
  }

  /** Sends every status. */
  showAll(): void {
    this.isBehind = false;
    const statuses = this.statuses().map((view) => toStatusResponse(view, this.owner.baseUrl));
    this.send(eventOf('snapshot', { statuses }));
  }

  /** Sends events that `eventOf` made. */
  show(text: string): void {
    if (this.isFull) this.isBehind = true;
    else this.send(text);
  }

  /** Sends a comment, so that no proxy takes the connection for a dead one. */
  beat(): void {
    if (!this.isFull) this.send(': heartbeat\n\n');
  }

  /** Ends the stream when its key or session has ended, or cannot be checked. */
  async check(): Promise<void> {
    const isCurrent = await this.owner.isCurrent().catch(() => false);
    if (!isCurrent) this.end();
  }

  /** Ends the stream behind what was sent. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (!this.destroyed) this.push(null);
    this.onOver(this);
  }

  private send(text: string): void {
    if (!this.isOver) this.isFull = !this.push(text);
  }
}

/** Returns a server-sent event. */
export function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
