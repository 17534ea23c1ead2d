import type { EventDestinationStatus } from '@waybill/client';
import type { EventSourceMessage } from 'eventsource-parser';
import { LiveConnection, type LiveState } from './live-connection.js';
import { pagesOf } from './pages.js';
import { request } from './request.js';

/** Path of the stream of the status of every destination. */
const STREAM = '/event_destinations/status/stream';

/** Statuses of a page of the list. */
const PAGE = 100;

/** Destinations that the stream follows at most: the newest. `MOST_FOLLOWED` of `status-feed.ts` in the service. */
export const MOST_FOLLOWED = 5_000;

/** What is known of the destinations, and whether it is live. */
export interface LiveStatuses {
  /** Status of each destination; null before the first ones arrived. */
  readonly statuses: readonly EventDestinationStatus[] | null;
  readonly state: LiveState;
  /**
   * When the statuses were last known, in milliseconds since 1970: the last event or heartbeat of the stream, or when
   * they were read. Null while they are live, and before the first.
   */
  readonly asOf: number | null;
}

/** The statuses of all destinations, kept up to date by server-sent events. */
export class StatusFeed {
  readonly connection: LiveConnection;
  private readonly byId = new Map<string, EventDestinationStatus>();
  private readonly listeners = new Set<() => void>();
  private current: LiveStatuses = { statuses: null, state: { kind: 'connecting' }, asOf: null };

  /** @param onSignedOut called when the session has ended */
  constructor(onSignedOut: () => void) {
    this.connection = new LiveConnection(STREAM, (event) => this.take(event), onSignedOut);
    this.connection.subscribe(() => this.publish(this.current.statuses));
  }

  readonly read = (): LiveStatuses => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Reads the list of statuses once, where the stream cannot be had.
   * @throws ProblemError, ConnectionError
   */
  async load(signal: AbortSignal): Promise<readonly EventDestinationStatus[]> {
    const all: EventDestinationStatus[] = [];
    const read = (before?: string) =>
      request('GET', '/event_destinations/status', { query: { limit: PAGE, before_id: before }, signal });
    for await (const page of pagesOf(read)) all.push(...page.statuses);
    if (this.connection.getState().kind !== 'live') this.replace(all, Date.now());
    return all;
  }

  private take({ event, data }: EventSourceMessage): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const body = JSON.parse(data) as {
      readonly statuses?: readonly EventDestinationStatus[];
      readonly ids?: readonly string[];
    };
    if (event === 'snapshot') this.replace(body.statuses ?? []);
    if (event === 'changed') this.change(body.statuses ?? []);
    if (event === 'removed') this.remove(body.ids ?? []);
  }

  private replace(statuses: readonly EventDestinationStatus[], readAt: number | null = null): void {
    this.byId.clear();
    this.change(statuses, readAt);
  }

  private change(statuses: readonly EventDestinationStatus[], readAt: number | null = null): void {
    for (const status of statuses) this.byId.set(status.id, status);
    this.publish([...this.byId.values()], readAt);
  }

  private remove(ids: readonly string[]): void {
    for (const id of ids) this.byId.delete(id);
    this.publish([...this.byId.values()]);
  }

  /** @param readAt when a list was read; null: what was last heard of the stream, or read, counts */
  private publish(statuses: readonly EventDestinationStatus[] | null, readAt: number | null = null): void {
    const state = this.connection.getState();
    const isCurrent = state.kind === 'live' || statuses === null;
    const asOf = isCurrent ? null : (readAt ?? this.current.asOf ?? this.connection.getHeardAt());
    this.current = { statuses, state, asOf };
    for (const listener of this.listeners) listener();
  }
}
