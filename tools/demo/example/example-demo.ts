import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { startSandbox } from '@waybill/sandbox';
import { Client } from 'pg';
import { consoleLink } from '../console-link.js';
import { untilStopped } from '../keep-running.js';
import type { DemoOptions } from '../plain-demo.js';
import { proofSentence } from '../proof.js';
import { deleteKeys } from '../redis-store.js';
import type { Screen } from '../screen.js';
import { createAudit } from './audit.js';
import { startExample } from './example-processes.js';
import { exampleTable, isProof } from './result.js';
import { runExample } from './run-example.js';

/**
 * Runs examples/orders-api beside Waybill, changes its database under kills, and compares what its database committed
 * with what arrived at a sandbox.
 * @returns whether every committed change arrived everywhere in order, and nothing else did
 */
export async function runExampleDemo(options: DemoOptions, screen: Screen): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-example-'));
  const begun = performance.now();
  const queuePrefix = `demo_${randomBytes(4).toString('hex')}`;
  screen.print('Starting the sandbox, a Postgres for the example, Waybill with its own Postgres, and the example…');
  const sandbox = await startSandbox();
  const closing: (() => Promise<unknown>)[] = [() => sandbox.close()];
  let succeeded = false;
  try {
    const postgres = await startEmbeddedPostgres({ folder: join(folder, 'orders'), name: 'orders' });
    closing.unshift(() => postgres.stop());
    const { connectionString: databaseUrl } = postgres;
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    closing.unshift(() => database.end());
    const example = await startExample(sandbox, databaseUrl, folder, queuePrefix, () => createAudit(database));
    const stop = async (): Promise<void> => {
      for (const program of await example.stop()) {
        screen.print(`Did not end cleanly: ${program}. The logs are in ${folder}`);
        succeeded = false;
      }
    };
    closing.unshift(stop);
    screen.print(`The orders API is at ${example.apiUrl}, and Waybill at ${example.admin.baseUrl}.`);
    const result = await runExample({ begun, example, sandbox, database, databaseUrl, screen });
    succeeded = isProof(result);
    screen.print(`\n${exampleTable(result)}\n`);
    screen.print(
      `${result.committed} changes were committed and ${result.rolled_back} rolled back, in ${result.seconds} s.`,
    );
    screen.print(proofSentence(result.proof));
    screen.print(
      succeeded
        ? 'Every committed change arrived at every destination, in order. No rolled-back change did.'
        : `The events do not match what was committed. The logs are in ${folder}`,
    );
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    if (options.keep) {
      screen.print(`
Everything runs until you press Ctrl+C. ${await consoleLink(example.admin)}

  orders API ${example.apiUrl}
  Waybill    ${example.admin.baseUrl}        (docs: ${example.admin.baseUrl}/docs)
  received   ${sandbox.url}/_sandbox/received
  logs       ${folder}`);
      await untilStopped();
    }
  } finally {
    for (const close of closing) await close();
    if (process.env.REDIS_URL) {
      await deleteKeys(process.env.REDIS_URL, queuePrefix).catch(() =>
        screen.print(`The keys ${queuePrefix}:* could not be deleted from Redis.`),
      );
    }
    if (succeeded) await rm(folder, { recursive: true, force: true });
  }
  return succeeded;
}
