// Runs an embedded Postgres with an empty database until SIGTERM, and prints its connection string.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@waybill/embedded-postgres';

const folder = await mkdtemp(join(tmpdir(), 'waybill-walkthrough-'));
const postgres = await startEmbeddedPostgres({ folder });
process.once('SIGTERM', () => void stop());
console.log(postgres.connectionString);

async function stop() {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
