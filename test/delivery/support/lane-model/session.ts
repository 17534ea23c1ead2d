import type { PoolClient } from 'pg';
import { openDatabase, type Database } from '../../../../src/database/database.js';
import { createLogger } from '../../../../src/logging/logger.js';

/** A statement that takes locks: its commit can be held. */
const isWriting = /\b(update|insert|delete)\b/i;

interface Hold {
  readonly released: Promise<void>;
  readonly release: () => void;
}

/**
 * One connection. It can hold the commit of its next writing statement: then other statements wait for its locks, with
 * the snapshots that they have. A held statement that is committed later equals a slow one.
 */
export class Session {
  readonly db: Database;
  /** The first error of a statement. */
  error: unknown = null;
  /** Whether a commit is being held. */
  isHolding = false;
  /** Called when a commit begins to be held. */
  onHold = (): void => {};
  /** Process id of the connection on the server. */
  pid = 0;
  private hold: Hold | null = null;
  private skipped = 0;
  private inTransaction = false;

  constructor(connectionString: string) {
    const logger = createLogger('fatal');
    const options = { connectionString, poolSize: 1, applicationName: 'lane-model', logger, idleTimeoutMs: 0 };
    const { db, pool } = openDatabase(options);
    this.db = db;
    pool.on('connect', (client) => this.gate(client));
  }

  /** Makes the next commit wait for `release`, or a later one. */
  holdNext(skipped = 0): void {
    this.skipped = skipped;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.hold = { released, release };
  }

  /** Lets the held commit proceed; without one, the next commit is not held any more. */
  release(): void {
    this.hold?.release();
    this.hold = null;
  }

  private gate(client: PoolClient): void {
    const query = client.query.bind(client) as unknown as (config: unknown) => Promise<unknown>;
    this.pid = (client as unknown as { processID: number }).processID;
    const gated = async (config: string | { text: string }): Promise<unknown> => {
      try {
        return await this.run(query, config);
      } catch (error) {
        this.error ??= error;
        throw error;
      }
    };
    client.query = gated as unknown as typeof client.query;
  }

  private async run(query: (config: unknown) => Promise<unknown>, config: string | { text: string }): Promise<unknown> {
    const text = typeof config === 'string' ? config : config.text;
    if (/^(begin|start transaction)/.test(text)) this.inTransaction = true;
    if (text === 'rollback' || text === 'commit') {
      if (text === 'commit') await this.held();
      this.inTransaction = false;
      return query(config);
    }
    if (this.hold === null || this.inTransaction || !isWriting.test(text)) return query(config);
    await query('begin');
    try {
      const result = await query(config);
      await this.held();
      await query('commit');
      return result;
    } catch (error) {
      await query('rollback');
      throw error;
    }
  }

  private async held(): Promise<void> {
    if (this.hold === null) return;
    this.skipped -= 1;
    if (this.skipped >= 0) return;
    this.isHolding = true;
    this.onHold();
    await this.hold.released;
    this.isHolding = false;
  }
}
