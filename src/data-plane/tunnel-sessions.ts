import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import type { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { systemContext } from '../events/envelope/system-context.js';
import type { BaseUrl } from '../http/request/base-url.js';
import type { RequestContext } from '../http/request/request-context.js';
import type { Logger } from '../logging/logger.js';
import type { MaintenanceTask, TurnControl } from '../maintenance/maintenance.js';
import { invalidInput, notFound, Problem } from '../problems/problem.js';
import { tunnel } from '../resources/families/tunnels/tunnel.js';
import { ResourceStore } from '../resources/framework/store/resource-store.js';
import type { WriterServices } from '../resources/framework/writer/writer-services.js';
import { LeaseStore } from './lease-store.js';
import type { SessionReport } from './session-report.js';
import { SessionWriter, type SessionChange } from './session-writer.js';

/** Dependencies of TunnelSessions. */
export interface SessionServices extends WriterServices {
  readonly db: Database;
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
  /** Base URL of the public API, for every `uri` in events. */
  readonly baseUrl: Pick<BaseUrl, 'value'>;
}

/** Response to a report. */
export interface SessionResponse {
  readonly id: string;
  /** When the session ends unless the lease is renewed, RFC 3339. */
  readonly expires_at: string;
  /** The tunnels of the session, with their ids in the public API. */
  readonly tunnels: readonly {
    readonly name: string;
    readonly id: string;
    readonly endpoint_id: string | null;
  }[];
}

/**
 * Sessions of online agents. A session exists while its lease lasts, which the data plane renews. Expired sessions are
 * hidden at once; as a task, it ends them.
 */
export class TunnelSessions implements MaintenanceTask {
  readonly name = 'expired_sessions';
  readonly intervalMs = 2_000;
  private readonly writer: SessionWriter;

  constructor(private readonly services: SessionServices) {
    this.writer = new SessionWriter(services);
  }

  /**
   * Creates or updates a session as reported. A repeated report only renews the lease. An expired session is deleted
   * and created again.
   * @throws Problem `invalid_input`; `conflict` when a URL is already served, or the session belongs to another account
   */
  async put(id: string, report: SessionReport): Promise<SessionResponse> {
    const { ttl_seconds: ttlSeconds, account_id: accountId, ...content } = report;
    const contentHash = createHash('sha256').update(JSON.stringify(content)).digest();
    const { db } = this.services;
    const renewed = await new LeaseStore(db).renew(id, ttlSeconds, { accountId, contentHash });
    if (renewed) return this.toResponse(db, id, renewed);
    return this.change(async (trx, destinationIds) => {
      await assertAccount(trx, accountId);
      const state = await new LeaseStore(trx).acquire({ id, accountId, ttlSeconds, contentHash });
      if (state === null) {
        throw new Problem('conflict', `The session ${id} belongs to another account.`);
      }
      const change = { trx, destinationIds, context: this.contextFor(accountId) };
      if (state === 'expired') await this.writer.remove(change, id);
      if (state === 'active') await this.writer.update(change, id, report);
      else await this.writer.create(change, id, report);
      return this.toResponse(trx, id, await new LeaseStore(trx).expiry(id));
    });
  }

  /**
   * Renews the lease of a session.
   * @returns when the lease ends
   * @throws Problem `not_found` when the session has ended or expired, and must be reported again
   */
  async renew(id: string, ttlSeconds: number): Promise<Date> {
    const expiresAt = await new LeaseStore(this.services.db).renew(id, ttlSeconds);
    if (!expiresAt) throw notFound('tunnel session', id);
    return expiresAt;
  }

  /** Returns the account of a session. @throws Problem `not_found` when the session has already ended */
  async accountOf(id: string): Promise<string> {
    const accountId = await new LeaseStore(this.services.db).accountOf(id);
    if (accountId === undefined) throw notFound('tunnel session', id);
    return accountId;
  }

  /** Ends a session. @throws Problem `not_found` when the session has already ended */
  async end(id: string): Promise<void> {
    await this.change(async (trx, destinationIds) => {
      const accountId = await new LeaseStore(trx).lockForRemoval(id);
      if (accountId === undefined) throw notFound('tunnel session', id);
      await this.removeWithLease({ trx, destinationIds, context: this.contextFor(accountId) }, id);
    });
  }

  /**
   * Ends expired sessions, one after another, until `stopped` aborts. A session that cannot be ended is skipped until
   * the next call.
   * @returns the number of ended sessions, skipped ones included
   */
  async run({ stopped, progressed }: TurnControl): Promise<number> {
    const failed: string[] = [];
    for (let ended = 0; ; ended += 1) {
      if (stopped.aborted || !(await this.endNextExpired(failed))) return ended;
      progressed();
    }
  }

  private async endNextExpired(failed: string[]): Promise<boolean> {
    let id = '';
    try {
      return await this.change(async (trx, destinationIds) => {
        const lease = await new LeaseStore(trx).lockExpired(failed);
        if (!lease) return false;
        id = lease.id;
        await this.removeWithLease({ trx, destinationIds, context: this.contextFor(lease.accountId) }, id);
        return true;
      });
    } catch (error) {
      if (id === '') throw error;
      this.services.logger.warn(
        { err: error, tunnel_session_id: id },
        'expired tunnel session not ended; it will be retried',
      );
      failed.push(id);
      return true;
    }
  }

  private async removeWithLease(change: SessionChange, id: string): Promise<void> {
    await this.writer.remove(change, id);
    await new LeaseStore(change.trx).remove(id);
  }

  private async toResponse(db: Database | Transaction, id: string, expiresAt: Date): Promise<SessionResponse> {
    const rows = await new ResourceStore(db).children(id, tunnel.name);
    const tunnels = rows.map(({ id: tunnelId, attributes }) => ({
      name: String(attributes.name),
      id: tunnelId,
      endpoint_id: typeof attributes.endpoint_id === 'string' ? attributes.endpoint_id : null,
    }));
    return { id, expires_at: expiresAt.toISOString(), tunnels };
  }

  /** Runs one change in a transaction, then notifies the dispatcher of the destinations that got events. */
  private async change<T>(work: (trx: Transaction, destinationIds: string[]) => Promise<T>): Promise<T> {
    const destinationIds: string[] = [];
    const result = await this.services.db.transaction().execute((trx) => work(trx, destinationIds));
    this.services.dispatcher.notify([...new Set(destinationIds)]);
    return result;
  }

  private contextFor(accountId: string): RequestContext {
    return systemContext(accountId, 'data_plane', this.services.baseUrl.value);
  }
}

/** @throws Problem `invalid_input` when the account does not exist */
async function assertAccount(trx: Transaction, accountId: string): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId);
  if (await account.executeTakeFirst()) return;
  throw invalidInput([{ pointer: '/account_id', detail: 'must be the id of an existing account' }]);
}
