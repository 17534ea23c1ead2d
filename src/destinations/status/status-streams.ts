import type { Readable } from 'node:stream';
import { setImmediate as othersServed, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logging/logger.js';
import { Problem } from '../../problems/problem.js';
import { toStatusResponse } from './destination-status.js';
import type { LaneViewStore } from './lane-view-store.js';
import { StatusFeed, type StatusChanges } from './status-feed.js';
import { eventOf, StatusStream, type StreamOwner } from './status-stream.js';

/** Most streams of one API key in one process, with those of its sessions. */
export const MOST_STREAMS_OF_KEY = 10;
/** Most streams of one account in one process. */
const MOST_STREAMS_OF_ACCOUNT = 100;
/** Most streams of one process. With them, half of the bytes that responses may keep are free for others. */
export const MOST_STREAMS = 256;

/** The times of the streams, in milliseconds. */
export interface StreamTimes {
  /** From the beginning of one poll to that of the next. A poll that takes longer than half of it runs less often. */
  readonly pollMs: number;
  /** Between two comments that keep a connection open, and show a client that the process runs. */
  readonly heartbeatMs: number;
  /** Between two checks of the key and the session of a stream. */
  readonly checkMs: number;
}

const usualTimes: StreamTimes = { pollMs: 1_000, heartbeatMs: 3_000, checkMs: 5_000 };

/** Dependencies of StatusStreams. */
export interface StatusStreamsParts {
  readonly lanes: Pick<LaneViewStore, 'marks' | 'listOf'>;
  readonly logger: Logger;
  readonly times?: StreamTimes;
}

/**
 * The streams of statuses as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). The
 * streams of an account share one feed, which is polled while there is one.
 */
export class StatusStreams {
  private readonly feeds = new Map<string, SharedFeed>();
  private readonly times: StreamTimes;
  private readonly timers: readonly NodeJS.Timeout[];
  private closed = false;

  constructor(private readonly parts: StatusStreamsParts) {
    this.times = parts.times ?? usualTimes;
    this.timers = [
      setInterval(() => this.each((stream) => stream.beat()), this.times.heartbeatMs),
      setInterval(() => this.each((stream) => void stream.check()), this.times.checkMs),
    ].map((timer) => timer.unref());
  }

  /**
   * Returns a new stream. It begins with the event `snapshot`.
   * @throws Problem `rate_limited` for too many streams of the key or the account, `unavailable` for too many of the
   * process, or when it stops
   */
  open(owner: StreamOwner): Readable {
    if (this.closed) throw new Problem('unavailable', 'The service is stopping.');
    const open = [...this.feeds.values()].reduce((sum, { streams }) => sum + streams.size, 0);
    if (open >= MOST_STREAMS) {
      const detail = `The process has ${MOST_STREAMS} streams, its limit. Retry, or read the statuses without a stream.`;
      throw new Problem('unavailable', detail, { retryAfterSeconds: 5 });
    }
    const feed = this.feeds.get(owner.accountId) ?? this.startFeed(owner.accountId);
    const ofKey = [...feed.streams].filter(({ owner: { keyId } }) => keyId === owner.keyId).length;
    if (ofKey >= MOST_STREAMS_OF_KEY || feed.streams.size >= MOST_STREAMS_OF_ACCOUNT) {
      const detail = `An API key may have ${MOST_STREAMS_OF_KEY} streams of this process, and an account ${MOST_STREAMS_OF_ACCOUNT}. Close one of them.`;
      throw new Problem('rate_limited', detail, { retryAfterSeconds: 5 });
    }
    return feed.join(owner);
  }

  /** Ends every stream: the clients connect to another process. */
  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearInterval(timer);
    this.each((stream) => stream.end());
  }

  private startFeed(accountId: string): SharedFeed {
    const feed = new SharedFeed(new StatusFeed(this.parts.lanes, accountId), this.times.pollMs, this.parts.logger, () =>
      this.feeds.delete(accountId),
    );
    this.feeds.set(accountId, feed);
    return feed;
  }

  private each(act: (stream: StatusStream) => void): void {
    for (const feed of this.feeds.values()) for (const stream of feed.streams) act(stream);
  }
}

/** The feed of an account with the streams that show it. It polls until the last stream has ended. */
class SharedFeed {
  readonly streams = new Set<StatusStream>();
  private isLoaded = false;
  private isRunning = false;

  constructor(
    private readonly feed: StatusFeed,
    private readonly pollMs: number,
    private readonly logger: Logger,
    private readonly onIdle: () => void,
  ) {}

  join(owner: StreamOwner): Readable {
    const stream = new StatusStream(
      owner,
      () => this.feed.statuses,
      () => this.streams.delete(stream),
    );
    this.streams.add(stream);
    if (this.isLoaded) stream.showAll();
    if (!this.isRunning) {
      this.isRunning = true;
      void this.run();
    }
    return stream;
  }

  private async run(): Promise<void> {
    try {
      while (this.streams.size > 0) {
        const begunAt = performance.now();
        if (this.isLoaded) await this.show(await this.feed.poll());
        else await this.load();
        const tookMs = performance.now() - begunAt;
        await sleep(Math.max(this.pollMs - tookMs, tookMs), undefined, { ref: false });
      }
    } catch (error) {
      if (this.streams.size === 0) return;
      // The clients connect again, and learn from the response what is wrong.
      this.logger.warn({ err: error }, 'the status of event destinations could not be read: its streams end');
      for (const stream of this.streams) stream.end();
    } finally {
      this.onIdle();
    }
  }

  private async load(): Promise<void> {
    await this.feed.load();
    this.isLoaded = true;
    for (const stream of this.streams) stream.showAll();
  }

  /** The addresses follow from the host that a client names. So each stream may need another text, which takes long. */
  private async show(changes: StatusChanges): Promise<void> {
    if (changes.changed.length === 0 && changes.removed.length === 0) return;
    const texts = new Map<string, Buffer>();
    for (const stream of this.streams) {
      const { baseUrl } = stream.owner;
      let text = texts.get(baseUrl);
      if (text === undefined) {
        await othersServed();
        text = textOf(changes, baseUrl);
        texts.set(baseUrl, text);
      }
      stream.show(text);
    }
  }
}

function textOf({ changed, removed }: StatusChanges, baseUrl: string): Buffer {
  const statuses = changed.map((view) => toStatusResponse(view, baseUrl));
  return Buffer.from(
    (statuses.length > 0 ? eventOf('changed', { statuses }) : '') +
      (removed.length > 0 ? eventOf('removed', { ids: removed }) : ''),
  );
}
