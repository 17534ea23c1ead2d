// Uses the client and the outbox with a Waybill. Compiled as a CommonJS module and as an ES module.
import { Waybill, WaybillError, type IpPolicy } from '@waybill/client';
import { installOutbox, record, startRelay, type OutboxEvent } from '@waybill/outbox';
import { Pool } from 'pg';

async function main(): Promise<void> {
  const { WAYBILL_URL: url = '', WAYBILL_API_KEY: key = '', DATABASE_URL: connectionString = '' } = process.env;
  const name = process.env['RESOURCE_TYPE'] ?? '';
  const waybill = new Waybill({ url, key });

  const policy: IpPolicy = await waybill.ipPolicies.create({ description: 'packed' });
  const ids: string[] = [];
  for await (const { id } of waybill.ipPolicies.list({ limit: 1 })) ids.push(id);
  if (!ids.includes(policy.id)) throw new Error('The list lacks what was created.');
  const refusal = await waybill.botUsers.create({ name: '' }).catch((error: unknown) => error);
  if (!(refusal instanceof WaybillError) || refusal.errorCode !== 'invalid_input') throw refusal;

  await waybill.resourceTypes.create({ name });
  const pool = new Pool({ connectionString });
  await installOutbox(pool);
  const client = await pool.connect();
  const event: OutboxEvent = { type: `${name}_created.v0`, resourceId: 'order-1042', object: { total: 1200 } };
  await client.query('begin');
  await record(client, event);
  await client.query('commit');
  client.release();
  const relay = startRelay({ pool, url, key });
  await relay.drained();
  await relay.stop();
  await pool.end();
  const { events } = await waybill.events.list({ type: [event.type] }).page();
  if (events[0]?.resource_id !== 'order-1042' || events.length !== 1) throw new Error('The event is not at Waybill.');
}

void main();
