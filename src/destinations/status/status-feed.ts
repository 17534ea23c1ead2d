import type { LaneView, LaneViewStore } from './lane-view-store.js';

/** Most destinations of an account that are followed: the newest. */
export const MOST_FOLLOWED = 5_000;

/** Most statuses that one poll reads because they changed. The others follow in the next polls, in turn. */
const MOST_CHANGED = 200;

/**
 * Statuses that each poll reads in any case, in turn: a mark does not show every change, such as a redelivery to a
 * paused destination. An account with no more destinations is read whole each time.
 */
const MOST_REFRESHED = 100;

/** Most polls until every destination was read once: some more than needed, for those that are made at that time. */
const MOST_PORTIONS = MOST_FOLLOWED / MOST_CHANGED + 5;

/** What a poll found. */
export interface StatusChanges {
  readonly changed: readonly LaneView[];
  /** Ids of destinations that do not exist any more. */
  readonly removed: readonly string[];
}

interface KnownStatus {
  readonly view: LaneView;
  readonly mark: string;
  /** For comparison. */
  readonly text: string;
}

/** Follows the statuses of one account's destinations. A poll costs two statements, however many clients want them. */
export class StatusFeed {
  /** By id. Those that were read least recently are first. */
  private readonly known = new Map<string, KnownStatus>();
  /** Number of destinations that no poll has read yet. */
  private unread = 0;

  constructor(
    private readonly store: Pick<LaneViewStore, 'marks' | 'listOf'>,
    private readonly accountId: string,
  ) {}

  /** The statuses as they were read last. */
  get statuses(): readonly LaneView[] {
    return Array.from(this.known.values(), ({ view }) => view);
  }

  /** Reads every status, in portions. */
  async load(): Promise<void> {
    for (let portions = 0; portions < MOST_PORTIONS; portions += 1) {
      await this.poll();
      if (this.unread === 0) return;
    }
  }

  /** Reads what changed, and a part of the rest. */
  async poll(): Promise<StatusChanges> {
    const marks = await this.store.marks(this.accountId, MOST_FOLLOWED);
    const removed = [...this.known.keys()].filter((id) => !marks.has(id));
    for (const id of removed) this.known.delete(id);
    const due = this.due(marks);
    const views = due.length === 0 ? [] : await this.store.listOf(this.accountId, due);
    const changed = views.filter((view) => this.keep(view, marks.get(view.destinationId) ?? ''));
    this.unread = [...marks.keys()].filter((id) => !this.known.has(id)).length;
    return { changed, removed };
  }

  /** Returns the destinations to read: new ones, changed ones, and those that were read least recently. */
  private due(marks: ReadonlyMap<string, string>): readonly string[] {
    const unread = [...marks.keys()].filter((id) => !this.known.has(id));
    const changed = [...this.known].filter(([id, { mark }]) => marks.get(id) !== mark).map(([id]) => id);
    const oldest = [...this.known.keys()].slice(0, MOST_REFRESHED);
    return [...new Set([...[...unread, ...changed].slice(0, MOST_CHANGED), ...oldest])];
  }

  /** Keeps a status as the one that was read last. Returns whether it differs from the one before. */
  private keep(view: LaneView, mark: string): boolean {
    const { destinationId: id } = view;
    const text = JSON.stringify(view);
    const before = this.known.get(id);
    this.known.delete(id);
    this.known.set(id, { view, mark, text });
    return before?.text !== text;
  }
}
