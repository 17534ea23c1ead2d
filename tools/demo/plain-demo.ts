import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waybill/embedded-postgres';
import { startSandbox } from '@waybill/sandbox';
import { ApiClient } from '../harness/api-client.js';
import { startService } from '../harness/service-process.js';
import { consoleLink } from './console-link.js';
import { runDemo } from './demo.js';
import { exampleChange } from './example-change.js';
import { untilStopped } from './keep-running.js';
import { CHECKPOINT_SECONDS, proofSentence } from './proof.js';
import { deleteKeys } from './redis-store.js';
import { table, type Screen } from './screen.js';
import { isComplete } from './target-count.js';

/** Options of the command. */
export interface DemoOptions {
  /** Prints the result as one line of JSON on standard output. */
  readonly json?: boolean;
  /** Keeps everything running until Ctrl+C. */
  readonly keep?: boolean;
}

/**
 * Makes changes through the API of a service with an empty database, and counts at a sandbox what arrived.
 * @returns whether everything arrived, once and in order, and the service ended without an error
 */
export async function runPlainDemo(options: DemoOptions, screen: Screen): Promise<boolean> {
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
      PROOF_CHECKPOINT_SECONDS: CHECKPOINT_SECONDS,
      DATA_PLANE_KEY: dataPlaneKey,
      DATA_PLANE_PORT: String(dataPlanePort),
    },
    logFile,
  ).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });

  let succeeded = false;
  try {
    const queues = process.env.REDIS_URL ? 'Redis' : 'Postgres';
    screen.print(`The service is ready at ${service.baseUrl}, its queues in ${queues}.`);
    const dataPlane = new ApiClient(`http://127.0.0.1:${dataPlanePort}`, dataPlaneKey);
    const result = await runDemo(new ApiClient(service.baseUrl, token), dataPlane, sandbox, screen);
    const { catalogue, emitted, missing } = result.event_types;
    succeeded = Object.values(result.targets).every(isComplete) && missing.length === 0 && result.proof === 'verified';
    screen.print(
      `\n${result.published} changes of the demo were published, including its subscription. Events received by the sandbox:\n`,
    );
    screen.print(table(result.targets));
    const others = sandbox.received({ target: 'data_stream' }).length - result.published;
    screen.print(
      `\nThe sandbox also received ${others} events of changes that the demo made indirectly: of endpoints of its edges, of its tunnels, and signed checkpoints of its log.`,
    );
    screen.print(
      `${emitted} of ${catalogue} event types arrived everywhere${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}.`,
    );
    const sample = sandbox
      .received({ target: 'data_stream' })
      .findLast(({ body }) => body.includes('"event_type":"ip_policy_updated.v0"'));
    if (sample) screen.print(`\nOne delivered event in full:\n${JSON.stringify(JSON.parse(sample.body), null, 2)}\n`);
    screen.print(proofSentence(result.proof));
    screen.print(
      succeeded
        ? 'Nothing was lost, repeated, skipped or out of order.'
        : `Some events are missing, repeated, out of order or not proved. See ${logFile}`,
    );
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    if (options.keep) {
      screen.print(`
The service runs until you press Ctrl+C. ${await consoleLink(new ApiClient(service.baseUrl, token))}

  API        ${service.baseUrl}        (docs: ${service.baseUrl}/docs, queues: ${service.baseUrl}/dashboard)
  API key    ${token}
  received   ${sandbox.url}/_sandbox/received
  log        ${logFile}

The demo has deleted most of what it created. Its changes are in the console, under Events. Make a change yourself:

  ${exampleChange(service.baseUrl, token)}`);
      await untilStopped();
    }
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
      succeeded = false;
    }
    if (succeeded) await rm(folder, { recursive: true, force: true });
  }
  return succeeded;
}
