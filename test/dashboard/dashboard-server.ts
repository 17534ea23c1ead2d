import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Authenticator } from '../../src/accounts/authenticator.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { hashToken, mintToken } from '../../src/accounts/token.js';
import { TokenStore } from '../../src/accounts/token-store.js';
import { readConfig } from '../../src/config/config.js';
import { registerDashboard } from '../../src/dashboard/dashboard.js';
import type { Store } from '../../src/database/store.js';
import { openQueues, type Queues } from '../../src/delivery/queues/queues.js';
import { createApi } from '../../src/http/create-api.js';
import { newId } from '../../src/ids/id.js';
import { WorkerModule } from '../../src/worker.module.js';
import { createTestStore } from '../support/database.js';
import type { TestBackend } from '../support/redis.js';
import { testKeyRing } from '../support/secrets.js';

/** The dashboard over real queues, within the service's own server: its hooks, headers and body parsers. */
export interface DashboardServer {
  readonly server: FastifyInstance;
  readonly store: Store;
  readonly queues: Queues;
  readonly adminKey: string;
  /** Everything that was logged so far. */
  logged(): string;
  /** Makes an API key of a new bot. */
  addBotKey(attributes: { active: boolean }): Promise<string>;
  close(): Promise<void>;
}

/** Opens a dashboard on a backend; `settings` are settings of the service. */
export async function openDashboard(
  backend: TestBackend,
  settings: Readonly<Record<string, string>> = {},
): Promise<DashboardServer> {
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const config = readConfig({ REDIS_URL: backend.redisUrl, QUEUE_PREFIX: prefix, ...settings });
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const store = await createTestStore();
  const queues = await openQueues(config, store, logger);
  queues.side('certificates');
  const adminKey = mintToken(newId('ak'));
  await bootstrap(store.db, { BOOTSTRAP_API_KEY: adminKey }, logger, () => undefined);

  const keyRing = testKeyRing();
  const authenticator = new Authenticator(new TokenStore(store.db));
  const app = await createApi(
    WorkerModule,
    { config, logger, db: store.db, keyRing, health: { stalled: () => null, stores: {} } },
    { extend: (server) => registerDashboard(server, { queues, authenticator, keyRing, config, logger }) },
  );

  return {
    server: app.getHttpAdapter().getInstance(),
    store,
    queues,
    adminKey,
    logged: () => lines.join(''),
    addBotKey: (attributes) => addBotKey(store, attributes),
    async close() {
      await app.close();
      await Promise.all(queues.all().map((queue) => queue.obliterate({ force: true })));
      await queues.close();
      await store.close();
    },
  };
}

async function addBotKey(store: Store, attributes: { active: boolean }): Promise<string> {
  const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  const [botId, keyId] = [newId('bot'), newId('ak')];
  const now = new Date();
  const row = { account_id: account.id, parent_id: null, created_at: now, updated_at: now };
  const token = mintToken(keyId);
  await store.db
    .insertInto('resources')
    .values([
      { ...row, id: botId, kind: 'bot_user', attributes: JSON.stringify({ name: 'bot', ...attributes }) },
      { ...row, id: keyId, kind: 'api_key', attributes: JSON.stringify({ owner_id: botId }) },
    ])
    .execute();
  await store.db.transaction().execute((trx) =>
    new TokenStore(trx).insert({
      keyId,
      accountId: account.id,
      ownerId: botId,
      tokenHash: hashToken(token),
    }),
  );
  return token;
}
