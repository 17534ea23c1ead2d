import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@waybill/embedded-postgres';
import type { Sandbox } from '@waybill/sandbox';
import { ApiClient } from '../../harness/api-client.js';
import { compiled, Program, type ProgramOptions } from '../../harness/program.js';
import { CHECKPOINT_SECONDS } from '../proof.js';

const EXAMPLE = 'examples/orders-api/dist';

/** The processes of the example: any of them can be killed and started again. */
export interface ExampleProcesses {
  readonly waybill: Program;
  readonly api: Program;
  readonly relay: Program;
  /** Base URL of the orders API. */
  readonly apiUrl: string;
  /** An admin's client of Waybill. */
  readonly admin: ApiClient;
  /** Ends all of them. Returns the names of those that ended with an error. */
  stop(): Promise<readonly string[]>;
}

/**
 * Migrates the database of the example, starts Waybill and the orders API, registers the resource types, and starts the
 * relay with a key that can only publish.
 * @param prepare called between the migration and the start of the orders API
 * @param queuePrefix prefix of the keys in a shared Redis
 */
export async function startExample(
  sandbox: Sandbox,
  databaseUrl: string,
  folder: string,
  queuePrefix: string,
  prepare: () => Promise<void>,
): Promise<ExampleProcesses> {
  const token = `demo_${randomBytes(24).toString('hex')}`;
  const waybillPort = await freePort();
  const apiPort = await freePort();
  const waybillUrl = `http://127.0.0.1:${waybillPort}`;
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const keyFile = join(folder, 'publisher-key');
  const database = { DATABASE_URL: databaseUrl };

  const program = (name: string, entry: string, options: Partial<ProgramOptions> = {}): Program =>
    new Program({
      name,
      args: [compiled(entry)],
      settings: database,
      logFile: join(folder, `${name}.log`),
      ...options,
    });
  const waybill = program('waybill', 'dist/service/main.js', {
    settings: {
      ...sandbox.environment,
      // Waybill keeps its data in an embedded Postgres of its own, which is killed with it.
      DATABASE_URL: '',
      DATA_DIR: join(folder, 'waybill'),
      BOOTSTRAP_API_KEY: token,
      QUEUE_PREFIX: queuePrefix,
      PROOF_CHECKPOINT_SECONDS: CHECKPOINT_SECONDS,
      RATE_LIMIT_PER_MINUTE: '0',
      HOST: '127.0.0.1',
      PORT: String(waybillPort),
    },
    baseUrl: waybillUrl,
    readyPath: '/readyz',
  });
  const api = program('orders-api', `${EXAMPLE}/main.js`, {
    settings: { ...database, HOST: '127.0.0.1', PORT: String(apiPort) },
    baseUrl: apiUrl,
    readyPath: '/healthz',
  });
  const migration = program('migrate', `${EXAMPLE}/migrate.js`);
  const setUp = program('set-up-waybill', `${EXAMPLE}/set-up-waybill.js`, {
    settings: { WAYBILL_URL: waybillUrl, WAYBILL_ADMIN_KEY: token, PUBLISHER_KEY_FILE: keyFile },
  });
  const started = [waybill, api];
  const stop = async (): Promise<readonly string[]> => {
    const failed: string[] = [];
    // The relay first: it has nothing to publish to without the others.
    for (const one of started.toReversed()) {
      const code = await one.stop();
      // Nest repeats the signal after its shutdown hooks. Ctrl+C in a terminal reaches a program before this signal.
      if (code !== 0 && !['SIGTERM', 'SIGINT'].includes(one.endSignal ?? '')) failed.push(one.name);
    }
    return failed;
  };
  try {
    const migrated = async () => {
      await migration.run();
      await prepare();
      await api.start();
    };
    await Promise.all([waybill.start(), migrated()]);
    await setUp.run();
    const relay = program('relay', 'packages/outbox/dist/cli.js', {
      args: [compiled('packages/outbox/dist/cli.js'), 'relay'],
      settings: { ...database, WAYBILL_URL: waybillUrl, WAYBILL_API_KEY: await readFile(keyFile, 'utf8') },
    });
    started.push(relay);
    await relay.start();
    return { waybill, api, relay, apiUrl, admin: new ApiClient(waybillUrl, token), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
