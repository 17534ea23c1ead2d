import { LRUCache } from 'lru-cache';
import type { Database, Transaction } from '../../database/database.js';
import { PAGE_BYTES } from '../../database/page-bytes.js';
import { readServerIdentity } from '../../delivery/epochs/server-identity.js';
import { systemContext } from '../../events/envelope/system-context.js';
import type { BaseUrl } from '../../http/request/base-url.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../../maintenance/maintenance.js';
import { notFound, Problem } from '../../problems/problem.js';
import type { ResourceRow } from '../../resources/framework/definition/definition.js';
import type { Representation } from '../../resources/framework/service/representation.js';
import type { ResourceService } from '../../resources/framework/service/resource-service.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import { ChangeFeedStore, type FeedState } from './change-feed-store.js';
import { configurationFamilies } from './configuration-families.js';
import { toToken, type Cursor } from './cursor.js';

/** A resource of the configuration, as the data plane gets it. */
export interface ConfigurationItem {
  readonly id: string;
  readonly kind: string;
  readonly account_id: string;
  /** Null after the deletion, like `object`. */
  readonly version: number | null;
  /** The resource as `GET` returns it. */
  readonly object: Representation | null;
  /** The decrypted secrets by their path in the object. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The paths of secrets that cannot be decrypted. The resource must not be used without them. */
  readonly unavailable_secrets: readonly string[];
}

/** A page of the whole configuration. */
export interface ConfigurationPage {
  readonly resources: readonly ConfigurationItem[];
  /** Null on the last page. */
  readonly next_page: string | null;
  /** Where the changes since the first page begin. Null before the last page. */
  readonly cursor: string | null;
}

/** Changes of the configuration. */
export interface ConfigurationChanges {
  readonly changes: readonly ConfigurationItem[];
  /** Where the next changes begin. */
  readonly cursor: string;
  /** Whether there may be more changes now. */
  readonly more: boolean;
}

/** Dependencies of ConfigurationReader. */
export interface ConfigurationParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly secrets: SecretStore;
  /** The services of the families, by name. */
  readonly families: ReadonlyMap<string, ResourceService>;
  readonly baseUrl: Pick<BaseUrl, 'value'>;
}

/** Most resources whose warning is remembered. */
const MOST_WARNED = 10_000;

/** Prefixes of the ids, in the order of the ids. */
const prefixes = configurationFamilies.map(({ prefix }) => prefix).toSorted((a, b) => (`${a}_` < `${b}_` ? -1 : 1));

/**
 * Reads the resources that configure the data plane, with their secrets: all of them in pages, and then their changes.
 * A change is the present state of a resource. Each page is of one moment, so that a resource fits its secrets.
 * As a task, it forgets old deletions.
 */
export class ConfigurationReader implements MaintenanceTask {
  readonly name = 'configuration_deletions';
  readonly intervalMs = 600_000;
  /** The resources of which the log has a warning. */
  private readonly warned = new LRUCache<string, true>({ max: MOST_WARNED });

  constructor(private readonly parts: ConfigurationParts) {}

  /**
   * Returns the first page of the configuration of an account; null: of all accounts.
   * @throws Problem `not_found` when the account does not exist
   */
  firstPage(accountId: string | null, limit: number): Promise<ConfigurationPage> {
    return this.atOneMoment(async (trx, { database, oldestInProgress: transaction }) => {
      if (accountId !== null && !(await new ChangeFeedStore(trx).hasAccount(accountId)))
        throw notFound('account', accountId);
      return this.pageAt(trx, { kind: 'page', database, accountId, transaction, resourceId: '' }, limit);
    });
  }

  /** Returns the page at a cursor. @throws Problem `cursor_expired` when it is of another database */
  nextPage(at: Cursor, limit: number): Promise<ConfigurationPage> {
    return this.atOneMoment(async (trx, state) => {
      assertValid(at, state);
      return this.pageAt(trx, at, limit);
    });
  }

  /**
   * Returns the changes after a cursor, in the order of their transactions.
   * @throws Problem `cursor_expired` when the cursor is too old, or of another database
   */
  changes(after: Cursor, limit: number): Promise<ConfigurationChanges> {
    return this.atOneMoment(async (trx, state) => {
      assertValid(after, state);
      const { changes, more } = await new ChangeFeedStore(trx).changes(after, limit, PAGE_BYTES);
      const present = changes.flatMap(({ row }) => row ?? []);
      const items = new Map((await this.itemsOf(trx, present)).map((item) => [item.id, item]));
      const last = changes.at(-1);
      // Nothing else is older than the oldest transaction in progress.
      const next =
        more && last
          ? { transaction: last.transaction, resourceId: last.id }
          : { transaction: later(after.transaction, state.oldestInProgress), resourceId: '' };
      return {
        changes: changes.map(({ id, kind, accountId }) => items.get(id) ?? deleted(id, kind, accountId)),
        cursor: toToken({ ...after, ...next }),
        more,
      };
    });
  }

  /** Whether there are changes after a cursor. */
  hasChanges(after: Cursor): Promise<boolean> {
    return new ChangeFeedStore(this.parts.db).hasChanges(after);
  }

  /** Forgets deletions that are too old for a cursor, until `stopped` aborts. */
  async run({ stopped, progressed }: TurnControl): Promise<void> {
    const store = new ChangeFeedStore(this.parts.db);
    while (!stopped.aborted && (await store.forgetDeletions())) progressed();
  }

  private async pageAt(trx: Transaction, at: Cursor, limit: number): Promise<ConfigurationPage> {
    const found: ResourceRow[] = [];
    let [bytes, hasMore] = [PAGE_BYTES, false];
    for (const prefix of prefixes) {
      if (at.resourceId >= `${prefix}\``) continue;
      // The remaining families may have more.
      hasMore = found.length >= limit || bytes <= 0;
      if (hasMore) break;
      const range = { afterId: at.resourceId, accountId: at.accountId, limit: limit - found.length, bytes };
      const read = await new ChangeFeedStore(trx).resources(prefix, range);
      found.push(...read.rows);
      bytes -= read.bytes;
      hasMore = read.more;
      if (hasMore) break;
    }
    const resources = await this.itemsOf(trx, found);
    const last = resources.at(-1);
    if (!hasMore || last === undefined) {
      return { resources, next_page: null, cursor: toToken({ ...at, kind: 'changes', resourceId: '' }) };
    }
    return { resources, next_page: toToken({ ...at, resourceId: last.id }), cursor: null };
  }

  private async itemsOf(trx: Transaction, found: readonly ResourceRow[]): Promise<readonly ConfigurationItem[]> {
    const secrets = await this.parts.secrets.loadAll(trx, found);
    const objects = new Map<string, Representation>();
    for (const { kind, rows } of groupsOf(found)) {
      for (const { body } of await this.report(trx, kind, rows)) objects.set(body.id, body);
    }
    return found.map(({ id, kind, account_id, version }) => {
      const { opened = new Map<string, string>(), unreadable = [] } = secrets.get(id) ?? {};
      if (unreadable.length > 0) this.warnOnce(id, unreadable);
      return {
        id,
        kind,
        account_id,
        version,
        object: objects.get(id) ?? null,
        secrets: Object.fromEntries(opened),
        unavailable_secrets: unreadable,
      };
    });
  }

  private warnOnce(resource: string, fields: readonly string[]): void {
    if (this.warned.has(resource)) return;
    this.warned.set(resource, true);
    this.parts.logger.warn({ resource, fields }, 'secrets of the configuration cannot be decrypted');
  }

  private report(trx: Transaction, kind: string, rows: readonly ResourceRow[]): ReturnType<ResourceService['report']> {
    const family = this.parts.families.get(kind);
    if (!family) throw new Error(`The family ${kind} has no service.`);
    const context = systemContext(rows[0]?.account_id ?? '', 'data_plane', this.parts.baseUrl.value);
    return family.report(trx, context, rows);
  }

  /** Runs queries that all see the same state of the database, on one server. */
  private async atOneMoment<T>(read: (trx: Transaction, state: Moment) => Promise<T>): Promise<T> {
    return this.parts.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const { systemIdentifier, timeline } = await readServerIdentity(trx);
        const state = await new ChangeFeedStore(trx).state();
        return read(trx, { ...state, database: `${state.epoch}-${systemIdentifier}-${timeline}` });
      });
  }
}

/** The state of the feed, and the database that it is of. */
interface Moment extends FeedState {
  /** It differs after a restore and after a failover: transaction ids of another database mean nothing. */
  readonly database: string;
}

function assertValid(at: Cursor, { database, horizon }: Moment): void {
  const reason =
    at.database === database
      ? 'the changes since it include deletions that are no longer known'
      : 'the database was restored or has failed over since';
  if (at.database === database && (at.kind === 'page' || BigInt(at.transaction) >= BigInt(horizon))) return;
  throw new Problem('cursor_expired', `The cursor has expired: ${reason}. Begin again with GET /configuration.`);
}

function later(one: string, other: string): string {
  return BigInt(one) > BigInt(other) ? one : other;
}

function deleted(id: string, kind: string, accountId: string): ConfigurationItem {
  return { id, kind, account_id: accountId, version: null, object: null, secrets: {}, unavailable_secrets: [] };
}

/** Groups resources by family and account: derived members are those of one account. */
function groupsOf(found: readonly ResourceRow[]) {
  const groups = new Map<string, { readonly kind: string; readonly rows: ResourceRow[] }>();
  for (const row of found) {
    const { kind, account_id } = row;
    const key = `${kind} ${account_id}`;
    const group = groups.get(key) ?? { kind, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  return groups.values();
}
