import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { Problem } from '../../problems/problem.js';
import { Grouped, type GroupLimits } from '../../timing/grouped.js';
import type { CheckedRequest } from './batch-check.js';
import { GroupFailed, type GroupWriter, type PublishResult } from './group-writer.js';
import { publishFanOutLimits, type LockMode } from './publish-statements.js';
import { publishingLimits } from './publishing-limits.js';

/** Events that fill a group: a transaction with more of them is hardly cheaper for each. */
const FULL_GROUP = 100;

/**
 * Groups of one account. The weight of a group is 1 with `FULL_GROUP` events, as many characters as one request may
 * have, or as many deliveries as one transaction creates. Another group begins beside one that is full, or that waits:
 * such as for another process that creates the same resource.
 */
const GROUPS: GroupLimits = { groups: 8, items: FULL_GROUP, weight: 1, patienceMs: 50 };
/** Requests of one account that are written alone at once. Each may wait for a lock. */
const LONE_REQUESTS: GroupLimits = { groups: 4, items: 1 };

/** Accounts whose groups are kept. An account beyond begins with new ones, which run beside its earlier ones. */
const MOST_ACCOUNTS = 1_000;

/** Longest wait of a request for its transaction to begin, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** What a waiting request counts in addition to its body, in bytes: its objects and its response. */
const BYTES_OF_REQUEST = 8_192;

/** A request, and when it has waited too long. */
interface WaitingRequest {
  readonly request: CheckedRequest;
  readonly until: number;
}

/** The groups of one account. */
interface AccountGroups {
  readonly together: Grouped<WaitingRequest, PublishResult>;
  readonly alone: Grouped<WaitingRequest, PublishResult>;
  /** Destinations of an event, as the last group had them. */
  destinations: number;
}

/**
 * Writes the requests that arrive while others are being written as one group: one transaction, one fan-out, one claim.
 * A request that finds nothing under way is written at once. Each account has groups of its own
 * (docs/decisions/published-events.md#decision-groups-of-requests).
 */
export class PublishGroups {
  private readonly accounts = new LRUCache<string, AccountGroups>({ max: MOST_ACCOUNTS });

  constructor(
    private readonly writer: Pick<GroupWriter, 'write'>,
    private readonly dispatcher: Pick<Dispatcher, 'notify'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Writes a request in the next group of its account. It gives back its turn while it waits; the first one of a group
   * takes a turn for all.
   * @throws what the transaction throws, such as when the database is down
   */
  async write(request: CheckedRequest): Promise<PublishResult> {
    const { turn } = request.context;
    turn?.keep(BYTES_OF_REQUEST);
    try {
      return await (turn ? turn.restDuring(() => this.writeInGroups(request)) : this.writeInGroups(request));
    } catch (error) {
      throw error instanceof GroupFailed ? error.cause : error;
    }
  }

  private async writeInGroups(request: CheckedRequest): Promise<PublishResult> {
    const waiting = { request, until: this.now() + LONGEST_WAIT_MS };
    const groups = this.groupsOf(request.context.accountId);
    const result = await groups.together.call(waiting);
    if (result.kind !== 'left') return result;
    request.context.turn?.rest();
    return groups.alone.call(waiting);
  }

  private groupsOf(accountId: string): AccountGroups {
    const known = this.accounts.get(accountId);
    if (known) return known;
    const write = (mode: LockMode) => async (waiting: readonly WaitingRequest[]) => {
      const now = this.now();
      const inTime = waiting.filter(({ until }) => now < until).map(({ request }) => request);
      if (inTime.length === 0) return waiting.map(() => TOO_LATE);
      const { results, destinationIds, destinations } = await this.writer.write(inTime, mode);
      if (destinations !== null) groups.destinations = destinations;
      this.dispatcher.notify(destinationIds);
      return waiting.map(({ request }) => results[inTime.indexOf(request)] ?? TOO_LATE);
    };
    const rules = {
      mayBeOfOne: (error: unknown) => error instanceof GroupFailed,
      weigh: ({ request }: WaitingRequest) => weightOf(request, groups.destinations),
      ready: ({ request }: WaitingRequest) => request.context.turn?.again() ?? Promise.resolve(),
    };
    const groups: AccountGroups = {
      together: new Grouped(write('skips'), GROUPS, rules),
      alone: new Grouped(write('waits'), LONE_REQUESTS, rules),
      destinations: 1,
    };
    this.accounts.set(accountId, groups);
    return groups;
  }
}

const TOO_LATE: PublishResult = {
  kind: 'refused',
  problem: new Problem(
    'unavailable',
    'The request waited 10 s for earlier ones of its account. Nothing was stored. Retry.',
    {
      retryAfterSeconds: 1,
    },
  ),
};

/** Returns the part of a group that a request takes. */
function weightOf({ events }: CheckedRequest, destinations: number): number {
  const characters = events.reduce((sum, event) => sum + event.characters, 0);
  return Math.max(
    events.length / FULL_GROUP,
    characters / publishingLimits.mostBatchBytes,
    (events.length * destinations) / publishFanOutLimits.inline,
  );
}
