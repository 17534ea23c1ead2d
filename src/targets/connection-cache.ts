import { LRUCache } from 'lru-cache';
import type { Connection } from './target.js';

/** Identifies a connection. */
export interface ConnectionKey {
  readonly destinationId: string;
  /** Version of the destination's configuration: a connection serves one version only. */
  readonly version: string;
}

/** A connection that stays open until its release. */
export interface BorrowedConnection {
  readonly connection: Connection;
  /** Returns it to the cache. Further calls do nothing. */
  readonly release: () => void;
}

interface Entry {
  readonly version: string;
  readonly connection: Promise<Connection>;
  users: number;
  /** Removed from the cache: its last release closes it. */
  retired: boolean;
}

/**
 * Caches the open connections of a process: one per destination, for the version that was borrowed last, and at most
 * `max`. An evicted connection (another version, or the least recently used) is closed after its last release.
 */
export class ConnectionCache {
  private readonly entries: LRUCache<string, Entry>;
  private readonly closing = new Set<Promise<void>>();
  private closed = false;

  /** @param max most cached connections */
  constructor({ max }: { max: number }) {
    this.entries = new LRUCache({ max, dispose: (entry) => this.retire(entry) });
  }

  /** Number of cached connections. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Lends the connection of a destination, opened with `open` when none of that version is cached. Concurrent borrowers
   * share it.
   * @throws what `open` throws; such a connection is not cached
   */
  async borrow(
    { destinationId, version }: ConnectionKey,
    open: () => Connection | Promise<Connection>,
  ): Promise<BorrowedConnection> {
    if (this.closed) throw new Error('The connections are closed: the process is stopping.');
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

  /** Closes every idle connection; a borrowed one is closed by its release. */
  async close(): Promise<void> {
    this.closed = true;
    this.entries.clear();
    await Promise.all(this.closing);
  }

  private open(destinationId: string, version: string, open: () => Connection | Promise<Connection>): Entry {
    const connection = (async () => open())();
    const entry: Entry = { version, connection, users: 0, retired: false };
    // Evicts the entry of another version, or the least recently used one.
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
      // A connection that failed to open needs no close, and a failed close cannot be repaired.
      .catch(() => undefined)
      .finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }
}
