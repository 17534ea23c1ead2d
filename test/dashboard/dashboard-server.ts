import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { KeyRole } from '../../src/accounts/key-role.js';
import { mintToken } from '../../src/accounts/token.js';
import type { Store } from '../../src/database/store.js';
import { QUEUES, type Queues } from '../../src/delivery/queues/queues.js';
import { newId } from '../../src/ids/id.js';
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
  /** Creates an API key of the admin with this role. */
  addKey(role: KeyRole): Promise<string>;
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
    addKey: async (role) => {
      const client = new TestClient(service.url, adminKey);
      const { token } = await client.create('/api_keys', { role });
      return String(token);
    },
    async close() {
      await Promise.all(queues.all().map((queue) => queue.obliterate({ force: true })));
      await service.stop();
      await store.close();
    },
  };
}
