import { LRUCache } from 'lru-cache';
import type { Connection } from './target.js';

/** Which connection is wanted. */
export interface ConnectionKey {
  readonly destinationId: string;
  /** Version of the destination's configuration (`resources.version`): a connection is never used for another one. */
  readonly version: number;
}

/** A connection that stays open until it is given back. */
export interface BorrowedConnection {
  readonly connection: Connection;
  /** Gives it back; more than once does nothing. */
  readonly release: () => void;
}

interface Entry {
  readonly version: number;
  readonly connection: Promise<Connection>;
  users: number;
  /** Out of the cache: to be closed when its last user has given it back. */
  retired: boolean;
}

/**
 * The open connections of a process: one for each destination, in the version of its configuration that was asked for last, and at
 * most `max` idle ones. A connection that has to go (another version, too many) is closed once nobody uses it any more.
 */
export class ConnectionCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly closing = new Set<Promise<void>>();
  private closed = false;

  /** @param max most connections that are kept */
  constructor({ max }: { max: number }) {
    this.entries = new LRUCache({ max, dispose: (entry) => this.retire(entry) });
  }

  /** How many connections are kept. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Lends the connection of a destination, opened with `open` when there is none of that version. Borrowers at the same time share
   * it. Throws what `open` throws; a connection that could not be opened is not kept.
   */
  async borrow(
    { destinationId, version }: ConnectionKey,
    open: () => Connection | Promise<Connection>,
  ): Promise<BorrowedConnection> {
    if (this.closed) throw new Error('The connections have been closed: the process is stopping.');
    const kept = this.entries.get(destinationId);
    const entry = kept?.version === version ? kept : this.open(destinationId, version, open);
    entry.users += 1;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      entry.users -= 1;
      if (entry.retired) this.closeIdle(entry);
    };
    try {
      return { connection: await entry.connection, release };
    } catch (error) {
      if (this.entries.peek(destinationId) === entry) this.entries.delete(destinationId);
      release();
      throw error;
    }
  }

  /** Closes every connection that is idle now; what is still borrowed is closed when it is given back. */
  async close(): Promise<void> {
    this.closed = true;
    this.entries.clear();
    await Promise.all(this.closing);
  }

  private open(destinationId: string, version: number, open: () => Connection | Promise<Connection>): Entry {
    const connection = (async () => open())();
    const entry: Entry = { version, connection, users: 0, retired: false };
    // Disposes of the entry in another version, and of the one that was used longest ago.
    this.entries.set(destinationId, entry);
    return entry;
  }

  private retire(entry: Entry): void {
    entry.retired = true;
    this.closeIdle(entry);
  }

  private closeIdle(entry: Entry): void {
    if (entry.users > 0) return;
    const closing = entry.connection
      .then((connection) => connection.close())
      // One that could not be opened has nothing to close, and one that does not close has nothing more to give.
      .catch(() => undefined)
      .finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }
}
