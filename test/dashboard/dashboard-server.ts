import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { KeyRole } from '../../src/accounts/key-role.js';
import { TokenStore } from '../../src/accounts/token-store.js';
import { hashToken, mintToken } from '../../src/accounts/token.js';
import type { Store } from '../../src/database/store.js';
import { QUEUES, type Queues } from '../../src/delivery/queues/queues.js';
import { newId } from '../../src/ids/id.js';
import { createAccount } from '../../src/resources/new-account.js';
import { TestClient } from '../support/api-client.js';
import { createTestStore } from '../support/database.js';
import type { TestBackend } from '../support/redis.js';
import { startTestService } from '../support/test-service.js';

/** The dashboard with real queues, in the service's own server with its hooks, headers and body parsers. */
export interface DashboardServer {
  readonly server: FastifyInstance;
  /** Where the service listens. */
  readonly url: string;
  readonly store: Store;
  readonly queues: Queues;
  readonly adminKey: string;
  /** The log so far. */
  logged(): string;
  /** Creates an API key of a new bot user. */
  addBotKey(attributes: { active: boolean }): Promise<string>;
  /** Creates an API key of the admin with this role. */
  addKey(role: KeyRole): Promise<string>;
  /** Creates another account, and returns the API key of its admin. */
  addAccount(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a dashboard on a backend; `settings` are settings of the service. */
export async function openDashboard(
  backend: TestBackend,
  settings: Readonly<Record<string, string>> = {},
): Promise<DashboardServer> {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const store = await createTestStore();
  const adminKey = mintToken(newId('ak'));
  const service = await startTestService(
    store.connectionString,
    {
      ROLES: 'api',
      REDIS_URL: backend.redisUrl,
      QUEUE_PREFIX: `test_${randomBytes(6).toString('hex')}`,
      BOOTSTRAP_API_KEY: adminKey,
      ...settings,
    },
    logger,
  );
  const queues = service.app.get<Queues>(QUEUES);
  return {
    server: service.app.getHttpAdapter().getInstance(),
    url: service.url,
    store,
    queues,
    adminKey,
    logged: () => lines.join(''),
    addBotKey: (attributes) => addBotKey(store, attributes),
    addKey: async (role) => {
      const client = new TestClient(service.url, adminKey);
      const { token } = await client.create('/api_keys', { role });
      return String(token);
    },
    addAccount: () => addAccount(store),
    async close() {
      await Promise.all(queues.all().map((queue) => queue.obliterate({ force: true })));
      await service.stop();
      await store.close();
    },
  };
}

async function addBotKey(store: Store, attributes: { active: boolean }): Promise<string> {
  const account = await store.db.selectFrom('accounts').select('id').orderBy('id').executeTakeFirstOrThrow();
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
      role: 'admin',
    }),
  );
  return token;
}

/** Creates another account with an admin, and returns the token of the admin's API key. */
async function addAccount(store: Store): Promise<string> {
  const keyId = newId('ak');
  const token = mintToken(keyId);
  await store.db.transaction().execute(async (trx) => {
    const { accountId, adminId } = await createAccount(trx, 'other', 'admin of the other account');
    const now = new Date();
    const row = { account_id: accountId, parent_id: null, created_at: now, updated_at: now };
    const attributes = JSON.stringify({ owner_id: adminId });
    await trx
      .insertInto('resources')
      .values({ ...row, id: keyId, kind: 'api_key', attributes })
      .execute();
    await new TokenStore(trx).insert({
      keyId,
      accountId,
      ownerId: adminId,
      tokenHash: hashToken(token),
      role: 'admin',
    });
  });
  return token;
}
