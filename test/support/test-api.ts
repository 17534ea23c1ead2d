import { bootstrap } from '../../src/accounts/bootstrap.js';
import { ApiModule } from '../../src/api.module.js';
import { CertificateJobs } from '../../src/certificates/certificate-jobs.js';
import { CertificateReports } from '../../src/certificates/certificate-reports.js';
import { readConfig } from '../../src/config/config.js';
import { startDataPlane, type DataPlane } from '../../src/data-plane/data-plane.js';
import type { Store } from '../../src/database/store.js';
import { Dispatcher } from '../../src/delivery/dispatch/dispatcher.js';
import { LaneStore } from '../../src/delivery/lanes/lane-store.js';
import { openQueues } from '../../src/delivery/queues/queues.js';
import { startWorker, type DeliveryWorker } from '../../src/delivery/worker.js';
import { EventRecorder } from '../../src/events/event-recorder.js';
import { createApi } from '../../src/http/create-api.js';
import { createLogger } from '../../src/logging/logger.js';
import { ManagedCertificates } from '../../src/resources/managed-certificates/managed-certificates.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits, targetOf } from '../../src/targets/registry.js';
import { TestClient } from './api-client.js';
import { createTestStore } from './database.js';
import { addAccount } from './second-account.js';
import { testKeyRing } from './secrets.js';

/** The whole API on a database of the test's own, its queues in the same database; no worker takes the jobs until one is started. */
export interface TestApi {
  readonly baseUrl: string;
  readonly store: Store;
  /** Opens what the API has sealed. */
  readonly secrets: SecretStore;
  /** The account of the first admin. */
  readonly accountId: string;
  /** A client with the first admin's key. */
  readonly admin: TestClient;
  /** A client with another token; null for none. */
  client(token: string | null): TestClient;
  /** Makes another account and gives its admin's client. */
  addAccount(): Promise<TestClient>;
  /** Makes a bot user with a key and gives the bot's client. */
  addBot(): Promise<TestClient & { readonly botId: string }>;
  /** Starts a worker, which sends to where the settings and the environment point the targets: a sandbox. */
  startWorker(): DeliveryWorker;
  /** Starts the internal interface, with these settings, and gives a client that shows its key. */
  startDataPlane(settings?: Readonly<Record<string, string>>): Promise<TestDataPlane>;
  close(): Promise<void>;
}

/** The internal interface beside an API. */
export interface TestDataPlane {
  readonly client: TestClient;
  /** Stops it; nothing of what was reported goes with it. */
  stop(): Promise<void>;
}

const ADMIN_TOKEN = 'test_admin_key_0123456789abcdef';
const DATA_PLANE_KEY = 'test_data_plane_key_0123456789abcdef';

/** Starts the API with these settings on a free port. */
export async function startTestApi(settings: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '0', BOOTSTRAP_API_KEY: ADMIN_TOKEN, ...settings });
  const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'fatal');
  const store = await createTestStore();
  const keyRing = testKeyRing();
  await bootstrap(store.db, config, logger, () => {});
  const queues = await openQueues(config, store, logger);
  const lanes = new LaneStore(store.db, targetLimits);
  const dispatcher = new Dispatcher(lanes, queues, logger);
  const secrets = new SecretStore(keyRing);
  const jobs = new CertificateJobs(queues, logger);
  const services = { config, db: store.db, secrets, lanes, dispatcher, jobs };
  const app = await createApi(ApiModule.with(services), {
    config,
    logger,
    db: store.db,
    keyRing,
    health: { stalled: () => null, stores: {} },
  });
  await app.listen(0, '127.0.0.1');
  const baseUrl = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const client = (token: string | null) => new TestClient(baseUrl, token);
  const admin = client(ADMIN_TOKEN);
  const workers: DeliveryWorker[] = [];
  const planes: DataPlane[] = [];
  const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  return {
    baseUrl,
    store,
    secrets,
    accountId: account.id,
    admin,
    client,
    addAccount: async () => client(await addAccount(store.db)),
    addBot: async () => {
      const bot = await admin.create('/bot_users', { name: 'test bot' });
      const key = await admin.create('/api_keys', { owner_id: bot.id });
      return Object.assign(client(String(key.token)), { botId: bot.id });
    },
    startWorker: () => {
      const worker = startWorker({ config, store, secrets, queues, lanes, dispatcher, targetOf, logger });
      workers.push(worker);
      return worker;
    },
    startDataPlane: async (planeSettings = {}) => {
      const settingsOfPlane = { DATA_PLANE_KEY: DATA_PLANE_KEY, DATA_PLANE_PORT: '0', ...planeSettings };
      const parts = { db: store.db, secrets, dispatcher, recorder: new EventRecorder(), logger, baseUrl };
      const plane = await startDataPlane({
        ...parts,
        config: readConfig({ ...settings, ...settingsOfPlane }),
        certificates: new CertificateReports(new ManagedCertificates(parts, config), jobs),
      });
      planes.push(plane);
      return { client: new TestClient(plane.url ?? '', DATA_PLANE_KEY), stop: () => plane.stop() };
    },
    close: async () => {
      await app.close();
      await Promise.all(workers.map((worker) => worker.stop(5_000)));
      await Promise.all(planes.map((plane) => plane.stop()));
      await Promise.all([dispatcher.idle(), jobs.idle()]);
      await queues.close();
      await store.close();
    },
  };
}
