import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { installOutbox, record } from '@waybill/outbox';
import pg from 'pg';
import { expect, it } from 'vitest';
import {
  orderEvent,
  outOfOrder,
  recordAll,
  startTestRelay,
  until,
} from '../../packages/outbox/test/support/relay-fixture.js';
import { startWaybillStub } from '../../packages/outbox/test/support/waybill-stub.js';

const NOT_USABLE = 'outbox database is not usable';

it('a relay continues after the outbox was installed, and after a restart of the server during a request', async () => {
  const waybill = await startWaybillStub();
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-outbox-'));
  const port = await freePort();
  const startServer = () => startEmbeddedPostgres({ folder, port, fsync: false });
  let server = await startServer();
  const pool = new pg.Pool({ connectionString: server.connectionString });
  pool.on('error', () => {});
  const relay = startTestRelay(pool, waybill.url, { requestTimeoutMs: 3_000 });
  try {
    await until(() => relay.logged(NOT_USABLE).length > 0, 'the missing outbox is logged');
    expect(relay.logged(NOT_USABLE)[0]?.fields['reason']).toMatch(/^The database has no outbox of version/);
    await installOutbox(pool);
    await recordAll(pool, [orderEvent('a', 1), orderEvent('a', 2)]);
    await relay.drained();
    const before = relay.logged(NOT_USABLE).length;
    waybill.answer(() => 'hang');
    await record(pool, orderEvent('a', 3));
    await until(() => waybill.batches.length >= 2, 'a request is in flight');
    await server.stop();
    waybill.answer(() => 'accept');
    await until(() => relay.logged(NOT_USABLE).length > before, 'the outage is logged');
    server = await startServer();
    const isRecorded = () =>
      record(pool, orderEvent('a', 4)).then(
        () => true,
        () => false,
      );
    await until(isRecorded, 'the server answers');
    await until(() => waybill.stored.length === 4, 'all are published');
    expect(outOfOrder(waybill.stored)).toEqual([]);
    await relay.drained();
  } finally {
    await relay.stop();
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true });
    await waybill.close();
  }
});
