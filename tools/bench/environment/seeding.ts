import { Client } from 'pg';
import { startOfDay } from '../../../src/database/partitions/day-partitions.js';
import { envelopeOf, payloadText } from '../../../src/events/envelope/event-envelope.js';
import { idBound } from '../../../src/ids/id-time.js';
import { PAYLOAD_BYTES } from '../payload-bytes.js';
import type { Installation } from './installation.js';

/** Rows of one INSERT. */
const STEP = 20_000;

/** Events and deliveries to write. */
export interface Seeding {
  readonly destinationIds: readonly string[];
  readonly events: number;
  /** Each event has a delivery to one of the destinations, in turn, or to all of them. */
  readonly to: 'one in turn' | 'all';
  readonly state: 'pending' | 'delivered';
  /** Whether all events change one resource; by default, each has its own. */
  readonly ofOneResource?: boolean;
  /** The day of the events, in UTC: by default that of today, as real ones have. */
  readonly day?: Date;
}

/** Number of events seeded by this process: their ids sort by time, as real ones do. */
let seeded = 0;

/**
 * Writes events and deliveries as the API would, in one transaction, then updates the statistics of Postgres and runs a
 * checkpoint. Delivered events are numbered from 1, and the lane continues after them.
 */
export async function seed(installation: Installation, seeding: Seeding): Promise<void> {
  const { destinationIds, events, to, state, ofOneResource = false, day = new Date() } = seeding;
  const idOf = (number: string) => eventId(day, number);
  const client = new Client({ connectionString: installation.connectionString });
  await client.connect();
  try {
    const account = await client.query<{ id: string }>('select id from accounts');
    const accountId = account.rows[0]?.id ?? '';
    const payload = payloadTemplate(accountId);
    await client.query('begin');
    for (let first = seeded + 1, last = seeded + events; first <= last; first += STEP) {
      const through = Math.min(first + STEP - 1, last);
      await client.query(
        `insert into events (id, account_id, type, resource_id, payload, created_at, principal_id, credential_id,
                             operation_id, salt, commitment)
         select id, $1, 'ip_policy_created.v0', resource_id,
                replace(replace($2, '${eventIdPlaceholder}', id), '${resourceIdPlaceholder}', resource_id), now(),
                'usr_01bench00000000000000000000', 'ak_01bench00000000000000000000', 'op_' || id,
                decode(md5(id), 'hex'), sha256(id::bytea)
         from generate_series($3::bigint, $4::bigint) as n,
              lateral (select ${idOf('n')} as id, ${resourceId(ofOneResource ? '0' : 'n')} as resource_id) as label`,
        [accountId, payload, first, through],
      );
      await client.query(deliveriesStatement(to, state, day), [
        accountId,
        destinationIds,
        first,
        through,
        first - seeded,
      ]);
    }
    if (state === 'delivered') {
      await client.query(
        `update delivery_lanes l set next_sequence = 1 + (
           select coalesce(max(sequence), 0) from finished_deliveries d where d.destination_id = l.destination_id)
         where destination_id = any($1::text[])`,
        [destinationIds],
      );
    }
    await client.query('commit');
    seeded += events;
    await client.query('vacuum analyze events');
    await client.query(`vacuum analyze ${tableOf(state)}`);
    // Otherwise Postgres would write these rows to disk during the measurement.
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Returns the beginning of the ids of events seeded for a day, in their payloads too. */
export const seededEventIds = (day = new Date()) => idBound('evt', startOfDay(day));

const eventId = (day: Date, number: string) => `'${seededEventIds(day)}' || lpad(${number}::text, 16, '0')`;
const resourceId = (number: string) => `'ipp_01bench' || lpad(${number}::text, 19, '0')`;

/** Placeholders in the payload template, as long as real ids. */
const eventIdPlaceholder = `evt_${'#'.repeat(26)}`;
const resourceIdPlaceholder = `ipp_${'#'.repeat(26)}`;

/** Where deliveries of a state are stored. */
function tableOf(state: Seeding['state']): string {
  return state === 'pending' ? 'deliveries' : 'finished_deliveries';
}

function deliveriesStatement(to: Seeding['to'], state: Seeding['state'], day: Date): string {
  const columns = `event_id, destination_id, account_id, created_at${state === 'pending' ? '' : ', id, state, sequence, finished_at, attempts'}`;
  const at = `'${startOfDay(day) < startOfDay(new Date()) ? startOfDay(day).toISOString() : 'now'}'::timestamptz`;
  // Position of the event among all seeded events, from 0.
  const position = '($5::bigint + n - $3::bigint - 1)';
  const sequence = to === 'all' ? `${position} + 1` : `${position} / cardinality($2::text[]) + 1`;
  const id = `nextval(pg_get_serial_sequence('deliveries', 'id'))`;
  const rest = state === 'pending' ? '' : `, ${id}, 'delivered', ${sequence}, ${at}, 1`;
  const destinations =
    to === 'all'
      ? 'unnest($2::text[]) as destination (id)'
      : `lateral (select ($2::text[])[1 + ${position} % cardinality($2::text[])] as id) as destination`;
  // Every form of the statement uses $5, so that all have the same parameters.
  return `insert into ${tableOf(state)} (${columns})
    select ${eventId(day, 'n')}, destination.id, $1, ${at}${rest}
    from generate_series($3::bigint, $4::bigint) as n cross join ${destinations}
    where $5::bigint > 0 order by n`;
}

/** Returns the payload of a real event of about PAYLOAD_BYTES, with placeholders for its ids. */
function payloadTemplate(accountId: string): string {
  const of = (description: string) =>
    payloadText(
      envelopeOf(
        eventIdPlaceholder,
        new Date(),
        {
          accountId,
          principal: { id: 'usr_01bench00000000000000000000', kind: 'user', admin: true, name: 'bench' },
          credential: { id: 'ak_01bench00000000000000000000', role: 'admin' },
          operationId: 'op_01bench00000000000000000000',
          baseUrl: 'https://waybill.example.com',
          ip: '192.0.2.1',
          userAgent: 'bench',
          ifMatch: null,
          reservation: null,
        },
        {
          type: 'ip_policy_created.v0',
          resourceId: resourceIdPlaceholder,
          version: 1,
          object: { id: resourceIdPlaceholder, description, metadata: '' },
          changes: null,
        },
      ),
    ) ?? '';
  return of('x'.repeat(PAYLOAD_BYTES - of('').length));
}
