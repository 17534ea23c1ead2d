import { fastify } from 'fastify';
import { Pool } from 'pg';
import { newId } from '../../../src/ids/id.js';

/**
 * References for writes, without API key, validation, versions or problem documents. `POST /ip_policies` inserts the
 * same three rows (resource, event, delivery) in one transaction. `POST /events` inserts the rows of a batch with one
 * statement. Prints its address on a line; stops on SIGTERM.
 */
const [connectionString, poolSize, accountId, destinationId] = process.argv.slice(2);
if (!connectionString || !poolSize || !accountId || !destinationId)
  throw new Error('Usage: bare-route <connection string> <connections> <account id> <destination id>');

const pool = new Pool({ connectionString, max: Number(poolSize) });
const server = fastify();

server.post('/ip_policies', async (request, reply) => {
  const { description, metadata } = request.body as { description: string; metadata: string };
  const now = new Date();
  const id = newId('ipp');
  const eventId = newId('evt');
  const attributes = { description, metadata };
  const object = {
    id,
    uri: `http://127.0.0.1/ip_policies/${id}`,
    created_at: now.toISOString(),
    ...attributes,
  };
  const payload = {
    event_id: eventId,
    event_type: 'ip_policy_created.v0',
    event_timestamp: now.toISOString(),
    account_id: accountId,
    principal: { id: 'usr_01bench00000000000000000000', subject: 'admin', credential: null },
    object,
    request: {
      operation_id: newId('op'),
      ip: request.ip,
      user_agent: request.headers['user-agent'] ?? null,
    },
  };
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into resources (id, account_id, kind, parent_id, attributes, created_at, updated_at)
       values ($1, $2, 'ip_policy', null, $3, $4, $4)`,
      [id, accountId, JSON.stringify(attributes), now],
    );
    await client.query(
      `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                           commitment)
       values ($1, $2, 'ip_policy_created.v0', $3, $4, $5, $6, $7, '')`,
      [eventId, accountId, id, JSON.stringify(payload), now, payload.principal.id, payload.request.operation_id],
    );
    await client.query(
      `insert into deliveries (event_id, destination_id, account_id, created_at) values ($1, $2, $3, $4)`,
      [eventId, destinationId, accountId, now],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return reply.code(201).send(object);
});

/** An event as the bench publishes it. */
interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly object: unknown;
}

server.post('/events', async (request, reply) => {
  const { events } = request.body as { events: readonly PublishedEvent[] };
  const now = new Date();
  const ids = events.map(() => newId('evt'));
  const payloads = events.map(({ type, object }, index) =>
    JSON.stringify({
      event_id: ids[index],
      event_type: type,
      event_timestamp: now.toISOString(),
      account_id: accountId,
      principal: { id: 'usr_01bench00000000000000000000', subject: 'admin', credential: null },
      version: 1,
      object,
      request: { operation_id: newId('op'), ip: request.ip, user_agent: request.headers['user-agent'] ?? null },
    }),
  );
  await pool.query(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         with ordinality as event (id, type, resource_id, payload, publisher_id, position)
     ),
     resource as (
       insert into published_resources (type_id, resource_id, version) select 'rt_01bench', resource_id, 1 from given
     ),
     identified as (
       insert into publisher_ids (account_id, publisher_id, event_id, hash)
       select $6, publisher_id, id, sha256(payload::bytea) from given
     ),
     event as (
       insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, operation_id,
                           commitment)
       select id, $6, type, resource_id, payload, $7, 'usr_01bench00000000000000000000', 'op_' || id, '' from given
     )
     insert into deliveries (event_id, destination_id, account_id, created_at)
     select id, $8, $6, $7 from given order by position`,
    [
      ids,
      events.map(({ type }) => type),
      events.map((event) => event.resource_id),
      payloads,
      // The ids at the publisher are unique in the account, which the service uses, too.
      events.map(({ id }) => `bare-${id}`),
      accountId,
      now,
      destinationId,
    ],
  );
  return reply.code(202).send({ events: ids.map((id) => ({ event_id: id, duplicate: false })) });
});

process.once('SIGTERM', () => void server.close().then(() => pool.end()));
process.stdout.write(`${await server.listen({ host: '127.0.0.1', port: 0 })}\n`);
