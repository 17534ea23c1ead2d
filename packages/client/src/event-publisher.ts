import { WaybillError, WaybillPublisherFullError, WaybillResponseError } from './errors.js';
import type { PublishedEventInput, PublishEventsResponse } from './generated/types.js';
import { timeLimit } from './limits.js';
import { membersOf } from './read-response.js';
import type { Send } from './transport.js';

/** Most events of a request of `POST /events`. */
const MOST_EVENTS = 500;
/** Most bytes of the events of a request: the body may have 2 MiB. */
const MOST_BYTES = 2_097_152 - 64;
/** What an event without a result takes in memory beside its JSON, in bytes. */
const BYTES_BESIDE_JSON = 512;
/** Codes of a refusal that is about the content of a request, so a part of the request may be accepted. */
const ABOUT_CONTENT: readonly string[] = [
  'invalid_input',
  'malformed_json',
  'event_id_reused',
  'event_too_large',
  'body_too_large',
];

/** Result of a published event. */
export type PublishResult = PublishEventsResponse['events'][number];

/** How events are put together in requests. */
export interface PublisherOptions {
  /** Longest wait of an event for others while no request is under way, in milliseconds; default: 5. */
  readonly maxWaitMs?: number;
  /** Most memory of the events without a result, in bytes; default: 16 MiB. */
  readonly maxPendingBytes?: number;
}

/** An event without a result. */
interface PendingEvent {
  readonly json: string;
  readonly bytes: number;
  readonly resolve: (result: PublishResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Publishes single events in common requests: up to 500 at a time. There is one request at a time, so events of one
 * resource keep the order of the calls. Events that arrive during a request form the next one.
 */
export class EventPublisher {
  private readonly waiting: PendingEvent[] = [];
  /** Called after each request; removed when they return true. */
  private waits: (() => boolean)[] = [];
  private readonly maxWaitMs: number;
  private readonly maxPendingBytes: number;
  private pendingBytes = 0;
  private published = 0;
  private settled = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Callers of `ready` that wait, in order. */
  private readonly callers = new Set<() => void>();
  /** Set while a caller of `ready` may publish. */
  private turn: NodeJS.Timeout | undefined;
  private running = false;
  private closed = false;

  /** @throws TypeError for an invalid option */
  constructor(
    private readonly send: Send,
    { maxWaitMs = 5, maxPendingBytes = 16_777_216 }: PublisherOptions = {},
  ) {
    if (!(maxPendingBytes >= 1)) throw new TypeError(`maxPendingBytes must be a number from 1 on.`);
    this.maxWaitMs = maxWaitMs === 0 ? 0 : timeLimit(maxWaitMs);
    this.maxPendingBytes = maxPendingBytes;
  }

  /**
   * Publishes an event. The promise has its own result: what Waybill refuses in another event does not affect it.
   *
   * @throws WaybillPublisherFullError when the events without a result take `maxPendingBytes`: await `ready()`
   * @throws what `events.publish` throws. After a network error or a timeout the event may be stored
   */
  publish(event: PublishedEventInput): Promise<PublishResult> {
    return new Promise((resolve, reject) => {
      if (this.closed) throw new Error('The publisher is closed.');
      const json = JSON.stringify(event);
      const bytes = new TextEncoder().encode(json).byteLength;
      const pending = this.pendingBytes + bytes + BYTES_BESIDE_JSON;
      // An event that is larger than all of the memory is sent alone.
      if (this.pendingBytes > 0 && pending > this.maxPendingBytes)
        throw new WaybillPublisherFullError(`The events without a result take ${this.pendingBytes} bytes.`);
      this.waiting.push({ json, bytes, resolve, reject });
      this.pendingBytes = pending;
      this.published += 1;
      this.endTurn();
      if (this.waiting.length >= MOST_EVENTS) this.start();
      else if (!this.running) this.timer ??= setTimeout(() => this.start(), this.maxWaitMs);
    });
  }

  /**
   * Waits until half of `maxPendingBytes` is free. Of several callers, one continues after the other: the next one when
   * the one before has published, or has not published at once.
   */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      this.callers.add(resolve);
      this.beginTurn();
    });
  }

  /** Sends what waits at once. Resolves when every event that was published before has its result, or its error. */
  flush(): Promise<void> {
    this.start();
    const last = this.published;
    return this.until(() => this.settled >= last);
  }

  /** As `flush`. Every later `publish` fails. */
  close(): Promise<void> {
    this.closed = true;
    return this.flush();
  }

  private beginTurn(): void {
    if (this.turn || this.pendingBytes > this.maxPendingBytes / 2) return;
    const [resolve] = this.callers;
    if (!resolve) return;
    this.callers.delete(resolve);
    resolve();
    // The caller publishes in this turn of the event loop, or not at all.
    this.turn = setTimeout(() => this.endTurn(), 0);
  }

  private endTurn(): void {
    clearTimeout(this.turn);
    this.turn = undefined;
    this.beginTurn();
  }

  private until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const wait = (): boolean => {
        const done = isDone();
        if (done) resolve();
        return done;
      };
      if (!wait()) this.waits.push(wait);
    });
  }

  private start(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.running) void this.run();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      await this.write(batch);
      this.waits = this.waits.filter((wait) => !wait());
      this.beginTurn();
    }
    this.running = false;
  }

  private nextBatch(): readonly PendingEvent[] {
    let bytes = 0;
    let count = 0;
    for (const event of this.waiting.slice(0, MOST_EVENTS)) {
      // With the comma before it.
      bytes += event.bytes + 1;
      if (count > 0 && bytes > MOST_BYTES) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /** Gives each event its result or its error. A request is stored as a whole or not at all. Does not throw. */
  private async write(batch: readonly PendingEvent[]): Promise<void> {
    try {
      const results = await this.resultsOf(batch);
      for (const [index, event] of batch.entries()) {
        const result = results[index];
        if (result) this.settle(event, () => event.resolve(result));
      }
    } catch (error) {
      const refused = refusedEvents(error);
      const others = batch.filter((event, index) => {
        const own = refused.get(index);
        if (own) this.settle(event, () => event.reject(own));
        return !own;
      });
      if (others.length < batch.length) {
        if (others.length > 0) await this.write(others);
      } else if (batch.length > 1 && isAboutContent(error)) {
        const half = Math.ceil(batch.length / 2);
        await this.write(batch.slice(0, half));
        await this.write(batch.slice(half));
      } else for (const event of batch) this.settle(event, () => event.reject(error));
    }
  }

  /** Frees the memory of an event before its promise settles: the caller may publish the next event at once. */
  private settle({ bytes }: PendingEvent, settlePromise: () => void): void {
    this.pendingBytes -= bytes + BYTES_BESIDE_JSON;
    this.settled += 1;
    settlePromise();
  }

  private async resultsOf(batch: readonly PendingEvent[]): Promise<readonly PublishResult[]> {
    const body = `{"events":[${batch.map(({ json }) => json).join(',')}]}`;
    const { data, status } = await this.send({ method: 'POST', target: '/events', body });
    const results = membersOf(data, 'events').filter(isResult);
    if (results.length === batch.length) return results;
    throw new WaybillResponseError('The response does not have a result for each event.', status);
  }
}

function isResult(value: unknown): value is PublishResult {
  return typeof value === 'object' && value !== null && 'event_id' in value && 'duplicate' in value;
}

function isAboutContent(error: unknown): boolean {
  if (error instanceof WaybillError) return ABOUT_CONTENT.includes(error.errorCode);
  // A proxy in between may allow less than Waybill.
  return error instanceof WaybillResponseError && error.status === 413;
}

/** Returns the errors of the events that a refusal names, by index, each as if its event had been sent alone. */
function refusedEvents(error: unknown): ReadonlyMap<number, WaybillError> {
  const refused = new Map<number, WaybillError>();
  if (!(error instanceof WaybillError) || !isAboutContent(error)) return refused;
  const { status, errorCode, operationId, conflicts } = error;
  for (const index of new Set(error.errors.map(({ pointer }) => indexOf(pointer)))) {
    if (index === undefined) continue;
    const errors = error.errors
      .filter(({ pointer }) => indexOf(pointer) === index)
      .map((own) => ({ ...own, pointer: own.pointer.replace(`/events/${index}`, '/events/0') }));
    const detail = errors.map(({ pointer, detail: text }) => `${pointer}: ${text}`).join('; ');
    refused.set(
      Number(index),
      new WaybillError(
        {
          status,
          error_code: errorCode,
          operation_id: operationId,
          detail,
          errors,
          conflicts: conflicts.filter((id) => detail.includes(id)),
        },
        null,
      ),
    );
  }
  return refused;
}

function indexOf(pointer: string): string | undefined {
  return /^\/events\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
}
