import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { freePort } from '@waybill/embedded-postgres';
import { ConfigError, readConfig } from '../../src/config/config.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { exitAfterParsing } from '../usage-error.js';
import { ApiClient } from './api-client.js';
import { runDemo } from './demo.js';
import { deleteKeys, redisError } from './redis-store.js';
import { Screen, table } from './screen.js';
import { startService } from './service-process.js';
import { isComplete } from './target-count.js';

const options = new Command('npm run demo --')
  .description(
    'Starts a sandbox, an embedded Postgres and the service, makes more than 500 changes, and counts at the sandbox what arrived.',
  )
  .option('--json', 'print the counts as one line of JSON on standard output')
  .option('--keep', 'keep everything running until Ctrl+C')
  .addHelpText('after', '\nWith REDIS_URL set, the queues are in Redis.')
  .exitOverride(exitAfterParsing)
  .parse()
  .opts();

const screen = new Screen();
const problem = settingsError() ?? (process.env.REDIS_URL ? await redisError(process.env.REDIS_URL) : null);
if (problem !== null) {
  screen.print(problem);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'waybill-demo-'));
const logFile = join(folder, 'service.log');
const queuePrefix = `demo_${randomBytes(4).toString('hex')}`;
const dataPlaneKey = `demo_${randomBytes(24).toString('hex')}`;
const dataPlanePort = await freePort();
const token = `demo_${randomBytes(24).toString('hex')}`;

screen.print('Starting the sandbox, an embedded Postgres and the service…');
const sandbox = await startSandbox();
const service = await startService(
  {
    ...sandbox.environment,
    BOOTSTRAP_API_KEY: token,
    DATA_DIR: join(folder, 'data'),
    // The Redis may be shared.
    QUEUE_PREFIX: queuePrefix,
    RATE_LIMIT_PER_MINUTE: '0',
    DATA_PLANE_KEY: dataPlaneKey,
    DATA_PLANE_PORT: String(dataPlanePort),
  },
  logFile,
).catch(async (error: unknown) => {
  await sandbox.close();
  throw error;
});

try {
  const queues = process.env.REDIS_URL ? 'Redis' : 'Postgres';
  screen.print(`The service is ready at ${service.baseUrl}, its queues in ${queues}.`);
  const dataPlane = { url: `http://127.0.0.1:${dataPlanePort}`, key: dataPlaneKey };
  const result = await runDemo(new ApiClient(service.baseUrl, token), dataPlane, sandbox, screen);
  const { catalogue, emitted, missing } = result.event_types;
  const complete = Object.values(result.targets).every(isComplete) && missing.length === 0;
  screen.print(
    `\n${result.published} changes of the demo were published, including its subscription. Events received by the sandbox:\n`,
  );
  screen.print(table(result.targets));
  const others = sandbox.received({ target: 'data_stream' }).length - result.published;
  screen.print(
    `\nThe sandbox also received ${others} events of the endpoints of edges, and of tunnels that the data plane reported.`,
  );
  screen.print(
    `${emitted} of ${catalogue} event types arrived everywhere${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}.`,
  );
  const sample = sandbox
    .received({ target: 'data_stream' })
    .findLast(({ body }) => body.includes('"event_type":"ip_policy_updated.v0"'));
  if (sample) screen.print(`\nOne delivered event in full:\n${JSON.stringify(JSON.parse(sample.body), null, 2)}\n`);
  screen.print(
    complete
      ? 'Nothing was lost, repeated or skipped.'
      : `Some events are missing, repeated or out of order. See ${logFile}`,
  );
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exitCode = complete ? 0 : 1;
  if (options.keep) await keepRunning();
} finally {
  const code = await service.stop();
  await sandbox.close();
  if (process.env.REDIS_URL) {
    await deleteKeys(process.env.REDIS_URL, queuePrefix).catch(() =>
      screen.print(`The keys ${queuePrefix}:* could not be deleted from Redis.`),
    );
  }
  if (code !== 0) {
    screen.print(`The service exited with ${code}. See ${logFile}`);
    process.exitCode = 1;
  }
  if (process.exitCode === 0) await rm(folder, { recursive: true, force: true });
}

/** Returns what is wrong with the settings of the environment, which the service inherits; null if they are valid. */
function settingsError(): string | null {
  try {
    readConfig(process.env);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Prints the addresses and waits for Ctrl+C. */
async function keepRunning(): Promise<void> {
  screen.print(`
The service runs until you press Ctrl+C:
  API        ${service.baseUrl}        (docs: ${service.baseUrl}/docs, queues: ${service.baseUrl}/dashboard)
  API key    ${token}
  received   ${sandbox.url}/_sandbox/received
  log        ${logFile}`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
