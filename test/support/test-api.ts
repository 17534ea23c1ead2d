import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/database/store.js';
import { LogKeys } from '../../src/secrets/log-keys.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import type { Service } from '../../src/service.js';
import { TestClient } from './api-client.js';
import { createTestStore } from './database.js';
import { addAccount } from './second-account.js';
import { ADMIN_KEY, startTestService } from './test-service.js';

/**
 * The whole API on a separate database, which also holds its queues. No worker runs before `startWorker`, unless ROLES
 * of the settings says so.
 */
export interface TestApi {
  readonly baseUrl: string;
  readonly store: Store;
  /** Decrypts the secrets that the API stored. */
  readonly secrets: SecretStore;
  /** Signs the logs of the API. */
  readonly logKeys: LogKeys;
  /** The account of the first admin. */
  readonly accountId: string;
  /** Folder of the files of exports, for this API only. */
  readonly exportFolder: string;
  /** A client with the first admin's key. */
  readonly admin: TestClient;
  /** A client with another token; null for none. */
  client(token: string | null): TestClient;
  /** Creates another account. Returns the client of its admin. */
  addAccount(): Promise<TestClient>;
  /** Creates a bot user with a key. Returns the client of the bot. */
  addBot(): Promise<TestClient & { readonly botId: string }>;
  /** Starts a worker. The settings and the environment direct its calls to a sandbox. */
  startWorker(): Promise<void>;
  /** Starts the data-plane API with these settings. Returns it with a client that sends its key. */
  startDataPlane(settings?: Readonly<Record<string, string>>): Promise<TestDataPlane>;
  close(): Promise<void>;
}

/** A data-plane API of a test. */
export interface TestDataPlane {
  readonly client: TestClient;
  /** Stops the data-plane API. The reported sessions remain. */
  stop(): Promise<void>;
}

const DATA_PLANE_KEY = 'test_data_plane_key_0123456789abcdef';

/** Starts the API with these settings on a free port. */
export async function startTestApi(settings: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const store = await createTestStore();
  const exportFolder = await mkdtemp(join(tmpdir(), 'waybill-exports-'));
  const services: Service[] = [];
  const start = async (more: Readonly<Record<string, string>>): Promise<Service> => {
    const all = {
      RATE_LIMIT_PER_MINUTE: '0',
      UNKNOWN_KEYS_PER_MINUTE: '0',
      SHUTDOWN_DEADLINE_MS: '5000',
      EXPORT_FOLDER: exportFolder,
      ...settings,
      ...more,
    };
    const service = await startTestService(store.connectionString, all);
    services.push(service);
    return service;
  };
  const { url, app } = await start({ ROLES: settings['ROLES'] ?? 'api' });
  const client = (token: string | null) => new TestClient(url, token);
  const admin = client(ADMIN_KEY);
  const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  return {
    baseUrl: url,
    store,
    secrets: app.get(SecretStore),
    logKeys: app.get(LogKeys),
    accountId: account.id,
    exportFolder,
    admin,
    client,
    addAccount: async () => client(await addAccount(store.db)),
    addBot: async () => {
      const bot = await admin.create('/bot_users', { name: 'test bot' });
      const key = await admin.create('/api_keys', { owner_id: bot.id });
      return Object.assign(client(String(key.token)), { botId: bot.id });
    },
    startWorker: async () => void (await start({ ROLES: 'worker' })),
    startDataPlane: async (planeSettings = {}) => {
      const shared = { DATA_PLANE_KEY, DATA_PLANE_PORT: '0', PUBLIC_URL: url };
      const plane = await start({ ROLES: 'api', ...shared, ...planeSettings });
      return { client: new TestClient(plane.dataPlaneUrl ?? '', DATA_PLANE_KEY), stop: () => plane.stop() };
    },
    close: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await store.close();
      await rm(exportFolder, { recursive: true, force: true });
    },
  };
}
