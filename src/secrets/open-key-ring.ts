import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { keyFileOf, makeKeys, readKeys } from './key-file.js';
import { proveKeyRing } from './key-proof.js';
import { KeyRegister } from './key-register.js';
import { KeyRing, KeyRingError } from './key-ring.js';
import { keysInUse } from './encrypted-columns.js';

/** How often a process that may not seal with its first key yet looks again, in milliseconds. */
const LOOK_AGAIN_MS = 5_000;

/** The key ring of a running process. */
export interface OpenKeyRing {
  /** Seals with the first key that every running process holds, and moves on to the very first as soon as they do. */
  readonly ring: KeyRing;
  readonly register: KeyRegister;
  /** Where the keys are kept, if in a file. */
  readonly file: string | null;
  /** Looks once more for new keys in the file and for a better key to seal with. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Where secrets are kept. */
export interface SecretsStore {
  readonly db: Database;
  readonly connectionString: string;
}

/**
 * The key ring of this installation, proven against the database: SECRETS_KEYS when it is set; otherwise, and only with the
 * embedded Postgres (`readConfig` sees to that), a key that is generated once and kept in DATA_DIR/secrets.keys (mode 0600).
 * @throws KeyRingError when the file cannot be read, when the ring is not the one that sealed what the database holds, or when
 * another process seals with a key that it lacks. The message says what to do.
 */
export async function openKeyRing(
  config: Config,
  store: SecretsStore,
  logger: Logger,
  name = `waybill ${config.INSTANCE_NAME} keys`,
): Promise<OpenKeyRing> {
  const { ring, file } = await readKeyRing(config, store.db, logger);
  const register = await KeyRegister.open({ connectionString: store.connectionString, name, logger });
  try {
    // First this process says what it holds, then it looks at what others do: of two that start at once, one sees the other.
    await register.hold(ring.keyIds);
    await proveKeyRing(store.db, ring, logger);
    await refuseUnknownSealers(ring, register);
    await chooseSealingKey(ring, register);
    return new LiveKeyRing(ring, register, file, store.db, logger);
  } catch (error) {
    await register.close();
    throw error;
  }
}

class LiveKeyRing implements OpenKeyRing {
  private readonly timer: NodeJS.Timeout;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    readonly ring: KeyRing,
    readonly register: KeyRegister,
    readonly file: string | null,
    private readonly db: Database,
    private readonly logger: Logger,
  ) {
    const look = (): void => {
      void this.refresh().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'the keys that seal secrets could not be looked at again'),
      );
    };
    this.register.onNews(look);
    this.timer = setInterval(() => {
      if (ring.sealingKeyId !== ring.keyIds[0]) look();
    }, LOOK_AGAIN_MS).unref();
  }

  refresh(): Promise<void> {
    this.refreshing = this.refreshing.catch(() => {}).then(() => this.reload());
    return this.refreshing;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.register.onNews(() => {});
    await this.refreshing.catch(() => {});
    await this.register.close();
  }

  private async reload(): Promise<void> {
    const before = this.ring.sealingKeyId;
    const text = this.file === null ? null : await readKeys(this.file);
    if (this.file !== null && text !== null) {
      this.ring.take(KeyRing.parse(text, this.file));
      await proveKeyRing(this.db, this.ring, this.logger);
      // All of them: where an earlier look ended with an error, one that was taken then is not written down yet.
      await this.register.hold(this.ring.keyIds);
    }
    await chooseSealingKey(this.ring, this.register);
    const { sealingKeyId } = this.ring;
    if (sealingKeyId !== before)
      this.logger.info({ keyId: sealingKeyId }, 'secrets are sealed with another key');
  }
}

/**
 * Seals with the first key that every other running process holds. Goes on with the same one while some of them may only be
 * missing, because the server of the register was restarted and they are not back yet.
 */
async function chooseSealingKey(ring: KeyRing, register: KeyRegister): Promise<void> {
  if (!register.isComplete) return;
  const lacking = new Set<string>();
  for (const keyId of ring.keyIds) {
    const without = await register.sealWith(keyId, () => ring.sealFromNowOnWith(keyId));
    if (without.length === 0) return;
    for (const { name } of without) lacking.add(name);
  }
  throw new KeyRingError(
    `There is no key in ${ring.source} that every running process holds; ${[...lacking].join(', ')} would not be able to open ` +
      'what this one seals. Give all of them a common key.',
  );
}

async function refuseUnknownSealers(ring: KeyRing, register: KeyRegister): Promise<void> {
  const strange = (await register.others()).filter((holder) => holder.sealsBeside(ring.keyIds));
  if (strange.length === 0) return;
  throw new KeyRingError(
    `${strange.map(({ name }) => name).join(', ')} seals secrets with a key that ${ring.source} lacks. Give every process the ` +
      'same keys; see docs/secrets.md on how a key is replaced.',
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
      `${file} is gone, and the database holds secrets that are sealed with the key ${inUse.join(', ')} in it. Put the file ` +
        'back from a backup, or give its content as SECRETS_KEYS. Without it those secrets cannot be read by anyone.',
    );
  }
  if (await makeKeys(file)) {
    logger.info(
      { file },
      'made the key that seals secrets; without this file they are lost: back it up with the data',
    );
  }
  return { ring: KeyRing.parse((await readKeys(file)) ?? '', file), file };
}
