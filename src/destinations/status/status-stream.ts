import { Readable } from 'node:stream';
import { oneEachTurn } from '../../timing/one-each-turn.js';
import { toStatusResponse } from './destination-status.js';
import type { LaneView } from './lane-view-store.js';

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

/** Least characters of a part of a snapshot, but for its last part. */
const PART_CHARACTERS = 16_384;

/**
 * The stream of one client. What it holds for a client that reads slowly is one event at most, and a part of a
 * snapshot: the text of its other parts is made when the client has read the ones before.
 */
export class StatusStream extends Readable {
  /** The parts of a snapshot that are not sent yet; null: none. */
  private rest: Iterator<string, void> | null = null;
  /** Whether the client has missed events: it gets all statuses when it has read what was sent. */
  private isBehind = false;
  private isFull = false;
  /** Whether a part of a snapshot is sent in a later turn of the event loop. */
  private isScheduled = false;
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
    this.proceed();
  }

  /** Sends every status. */
  showAll(): void {
    this.isBehind = this.rest !== null;
    if (this.isBehind) return;
    this.rest = snapshotOf(this.statuses(), this.owner.baseUrl);
    this.proceed();
  }

  /** Sends events that `eventOf` made, as bytes that the streams share. */
  show(events: Buffer): void {
    if (this.isBusy) this.isBehind = true;
    else this.send(events);
  }

  /** Sends a comment, so that neither a proxy nor the client takes the connection for a dead one. */
  beat(): void {
    if (!this.isBusy) this.send(': heartbeat\n\n');
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

  /** Whether the client has not read what was sent, or a snapshot is not complete. */
  private get isBusy(): boolean {
    return this.isFull || this.rest !== null;
  }

  /**
   * Lets the next part of a snapshot follow, or a new snapshot where events were missed. While the operating system
   * takes what is sent, many streams would otherwise send whole snapshots in one turn of the event loop.
   */
  private proceed(): void {
    if (this.isFull || this.isScheduled) return;
    if (this.rest === null) {
      if (this.isBehind) this.showAll();
      return;
    }
    this.isScheduled = true;
    oneEachTurn(() => {
      this.isScheduled = false;
      this.sendPart();
      this.proceed();
    });
  }

  private sendPart(): void {
    const part = this.isOver ? undefined : this.rest?.next();
    if (part === undefined || part.done) this.rest = null;
    else this.send(part.value);
  }

  private send(content: Buffer | string): void {
    if (!this.isOver) this.isFull = !this.push(content);
  }
}

/** Returns the event `snapshot` in parts. */
function* snapshotOf(views: readonly LaneView[], baseUrl: string): Generator<string, void> {
  let part = 'event: snapshot\ndata: {"statuses":[';
  for (const [index, view] of views.entries()) {
    part += `${index === 0 ? '' : ','}${JSON.stringify(toStatusResponse(view, baseUrl))}`;
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    part = '';
  }
  yield `${part}]}\n\n`;
}

/** Returns a server-sent event. */
export function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
