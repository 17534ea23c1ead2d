import type { Config } from '../config/config.js';
import type { ProcessSession } from '../database/connections/process-session.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { keysInUse } from './encrypted-columns.js';
import { keyFileOf, createKeys, readKeys } from './key-file.js';
import { KeyRegister } from './key-register.js';
import { KeyRing, KeyRingError } from './key-ring.js';
import { verifyKeyRing } from './verify-key-ring.js';

/** How often a process that cannot seal with its first key yet tries again. */
const RETRY_INTERVAL_MS = 5_000;

/** The database of the secrets, and the session that shows the keys of this process. */
export interface SecretsStore {
  readonly db: Database;
  readonly session: ProcessSession;
}

/**
 * Opens the key ring and verifies it against the database. The keys are in SECRETS_KEYS. With the embedded Postgres
 * only, they may be in DATA_DIR/secrets.keys (mode 0600) instead, where the first start creates a key.
 * @throws KeyRingError when the file cannot be read, when a key is missing or differs, or when another process seals
 * with a key that this ring lacks; the message says what to do
 */
export async function openKeyRing(config: Config, { db, session }: SecretsStore, logger: Logger): Promise<OpenKeyRing> {
  const { ring, file } = await readKeyRing(config, db, logger);
  const register = await KeyRegister.join(session);
  // Registers before it reads the others: of two processes that start at once, one sees the other.
  await register.hold(ring.keyIds);
  await verifyKeyRing(db, ring, logger);
  await refuseMissingKeys(ring, register);
  await chooseSealingKey(ring, register);
  return new OpenKeyRing(ring, register, file, db, logger);
}

/** The key ring of a running process. */
export class OpenKeyRing {
  private readonly timer: NodeJS.Timeout;
  private refreshing: Promise<void> = Promise.resolve();

  /**
   * @param ring seals with the first key that every running process holds. Switches to the first key of all once every
   * process holds it
   * @param file the key file; null when the keys are in SECRETS_KEYS
   */
  constructor(
    readonly ring: KeyRing,
    readonly register: KeyRegister,
    readonly file: string | null,
    private readonly db: Database,
    private readonly logger: Logger,
  ) {
    const refresh = (): void => {
      void this.refresh().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'the key ring could not be refreshed: trying again'),
      );
    };
    this.register.subscribe(refresh);
    this.timer = setInterval(() => {
      if (ring.sealingKeyId !== ring.keyIds[0]) refresh();
    }, RETRY_INTERVAL_MS).unref();
  }

  /** Reads the key file again, and switches to the first key that every process holds. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.catch(() => {}).then(() => this.reload());
    return this.refreshing;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.register.subscribe(() => {});
    await this.refreshing.catch(() => {});
  }

  private async reload(): Promise<void> {
    const before = this.ring.sealingKeyId;
    const text = this.file === null ? null : await readKeys(this.file);
    if (this.file !== null && text !== null) {
      this.ring.merge(KeyRing.parse(text, this.file));
      await verifyKeyRing(this.db, this.ring, this.logger);
      // All keys: after an earlier failure, a key may be in the ring and not in the register.
      await this.register.hold(this.ring.keyIds);
    }
    // After a restart of Postgres, other processes may still be reconnecting.
    if (this.register.isComplete) await chooseSealingKey(this.ring, this.register);
    const { sealingKeyId } = this.ring;
    if (sealingKeyId !== before)
      this.logger.info({ keyId: sealingKeyId }, 'new secrets are encrypted with another key');
  }
}

/** Switches to the first key that every other running process holds. @throws KeyRingError when there is none */
async function chooseSealingKey(ring: KeyRing, register: KeyRegister): Promise<void> {
  const lacking = new Set<string>();
  for (const keyId of ring.keyIds) {
    const without = await register.sealWith(keyId, () => ring.switchTo(keyId));
    if (without.length === 0) return;
    for (const { name } of without) lacking.add(name);
  }
  throw new KeyRingError(
    `No key in ${ring.source} is held by every running process: ${[...lacking].join(', ')} could not decrypt what this process ` +
      'encrypts. Give all processes a common key.',
  );
}

/** @throws KeyRingError when another process seals with a key that the ring lacks */
async function refuseMissingKeys(ring: KeyRing, register: KeyRegister): Promise<void> {
  const others = (await register.others()).filter((holder) => holder.sealsWithOther(ring.keyIds));
  if (others.length === 0) return;
  throw new KeyRingError(
    `A running process encrypts with a key that ${ring.source} lacks: ${others.map(({ name }) => name).join(', ')}. Give every ` +
      'process the same keys. docs/secrets.md describes how to replace a key.',
  );
}

async function readKeyRing(
  config: Config,
  db: Database,
  logger: Logger,
): Promise<{ readonly ring: KeyRing; readonly file: string | null }> {
  if (config.SECRETS_KEYS !== undefined) return { ring: KeyRing.parse(config.SECRETS_KEYS), file: null };
  const file = keyFileOf(config.DATA_DIR);
  const existing = await readKeys(file);
  if (existing !== null) return { ring: KeyRing.parse(existing, file), file };
  const inUse = await keysInUse(db);
  if (inUse.length > 0) {
    throw new KeyRingError(
      `The key file ${file} is missing, and the database holds secrets that are encrypted with its key ${inUse.join(', ')}. ` +
        'Restore the file from a backup, or set SECRETS_KEYS to its content. Without the key those secrets are lost.',
    );
  }
  if (await createKeys(file)) {
    logger.info({ file }, 'created the key file: back it up, without it secrets are lost');
  }
  return { ring: KeyRing.parse((await readKeys(file)) ?? '', file), file };
}
