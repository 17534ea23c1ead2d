import { formatLogProof, inclusionRanges, parseTilePath, tileOf, vkeyOf } from '@waybill/verify';
import { sql } from 'kysely';
import type { Database } from '../database/database.js';
import { Problem } from '../problems/problem.js';
import type { LogKeys } from '../secrets/log-keys.js';
import { Grouped } from '../timing/grouped.js';
import { LogStore } from './log-store.js';

/** A log that was signed. */
interface SignedLog {
  readonly id: number;
  readonly first_sequence: number;
  /** The newest checkpoint, and its size. */
  readonly note: string;
  readonly signed_size: number;
  /** The newest checkpoint with cosignatures, and its size; null and 0 when there is none. */
  readonly cosigned_note: string | null;
  readonly cosigned_size: number;
}

/** What auditors read of the logs of an account: also of deleted destinations. */
export class LogReader {
  /** Anyone may ask for the keys, so all who wait share one statement. */
  private readonly keysRead: Grouped<'keys', string>;

  constructor(
    private readonly db: Database,
    keys: Pick<LogKeys, 'all'>,
  ) {
    const read = async (): Promise<readonly string[]> => {
      const lines = (await keys.all()).map((key) => `${vkeyOf(key)}\n`);
      return [lines.join('')];
    };
    this.keysRead = new Grouped(read, { groups: 1, items: 1 }, { mayBeOfOne: () => false, key: (item) => item });
  }

  /** Returns the verifier keys, one a line, newest first. */
  async verifierKeys(): Promise<string> {
    return this.keysRead.call('keys');
  }

  /**
   * Returns the newest checkpoint of a log, with the cosignatures that it has.
   * @param isCosigned whether it must have one
   * @throws Problem `not_found`
   */
  async checkpoint(accountId: string, destinationId: string, epoch: string, isCosigned: boolean): Promise<string> {
    const log = await this.log(accountId, destinationId, epoch);
    if (!isCosigned && (log.cosigned_note === null || log.cosigned_size < log.signed_size)) return log.note;
    if (log.cosigned_note !== null) return log.cosigned_note;
    throw new Problem('not_found', 'No checkpoint of the log has a cosignature yet.');
  }

  /**
   * Returns the newest epoch in which a destination has a log with a checkpoint.
   * @throws Problem `not_found`
   */
  async newestEpoch(accountId: string, destinationId: string): Promise<number> {
    const { rows } = await sql<{ epoch: number }>`
      select epoch from proof_logs
      where destination_id = ${destinationId} and account_id = ${accountId} and note is not null
      order by epoch desc limit 1`.execute(this.db);
    const [log] = rows;
    if (log) return log.epoch;
    throw new Problem('not_found', 'The event destination has no log with a checkpoint yet.');
  }

  /**
   * Returns the hashes of a tile of the newest checkpoint, or of an earlier one.
   * @param path as in `tile/<path>` of https://c2sp.org/tlog-tiles
   * @throws Problem `not_found`
   */
  async tile(accountId: string, destinationId: string, epoch: string, path: string): Promise<Buffer> {
    const tile = parseTilePath(`tile/${path}`);
    const log = await this.log(accountId, destinationId, epoch);
    const isOfLog = tile !== null && tile.width <= tileOf(tile.level, tile.index, log.signed_size).width;
    const hashes = isOfLog ? await new LogStore(this.db).tile(log.id, tile) : null;
    if (!hashes) throw new Problem('not_found', 'No checkpoint of the log has this tile.');
    return hashes;
  }

  /**
   * Returns the proof that the log of a destination has an event, with the newest checkpoint that has the event: one
   * with cosignatures, if there is any.
   * @param destinationId undefined: the first one whose log has it
   * @throws Problem `not_found`
   */
  async proof(accountId: string, eventId: string, destinationId: string | undefined): Promise<string> {
    const { rows } = await sql<SignedLog & { readonly sequence: number }>`
      select d.sequence, g.id, g.first_sequence, g.note, g.signed_size, g.cosigned_note, g.cosigned_size
      from all_deliveries d
      join proof_logs g on g.destination_id = d.destination_id and g.account_id = d.account_id
        and d.sequence >= g.first_sequence and d.sequence < g.first_sequence + g.signed_size
      where d.event_id = ${eventId} and d.account_id = ${accountId}
        and ${destinationId === undefined ? sql`true` : sql`d.destination_id = ${destinationId}`}
      order by d.id limit 1`.execute(this.db);
    const [found] = rows;
    if (!found) {
      const detail =
        'No checkpoint has this event for this destination: it was not sent, or not signed yet, or its delivery was removed by the retention.';
      throw new Problem('not_found', detail);
    }
    const index = found.sequence - found.first_sequence;
    const isCosigned = found.cosigned_note !== null && index < found.cosigned_size;
    const size = isCosigned ? found.cosigned_size : found.signed_size;
    const hashes = await new LogStore(this.db).subtrees(found.id, inclusionRanges(index, size), size);
    return formatLogProof({ index, hashes, checkpoint: (isCosigned ? found.cosigned_note : null) ?? found.note });
  }

  /** Returns a log of an account. @throws Problem `not_found`, also before its first checkpoint */
  async log(accountId: string, destinationId: string, epoch: string): Promise<SignedLog> {
    const { rows } = await sql<SignedLog>`
      select id, first_sequence, note, signed_size, cosigned_note, cosigned_size from proof_logs
      where destination_id = ${destinationId} and account_id = ${accountId} and epoch::text = ${epoch}
        and note is not null`.execute(this.db);
    const [log] = rows;
    if (log) return log;
    throw new Problem('not_found', 'The log does not exist, or has no checkpoint yet.');
  }
}
