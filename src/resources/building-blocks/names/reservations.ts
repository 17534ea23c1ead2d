import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** Who has reserved a name or an address. */
export interface Reservation {
  /** Of the reserved domain or address. */
  readonly id: string;
  readonly accountId: string;
}

/** A host, or a hostport, that somebody wants to serve. */
export interface Place {
  /** Lower-case ASCII; a wildcard such as `*.example.com` too. */
  readonly host: string;
  /** `host:port`, where an address counts that is reserved as a whole; null where only names do. */
  readonly hostport: string | null;
}

/** What a place is reserved as. */
export interface PlaceReservations {
  readonly domain: Reservation | undefined;
  readonly address: Reservation | undefined;
}

/** Every query about who has reserved what is served. */
export const reservations = {
  /**
   * Makes those wait who are about to reserve one of these hosts, until this transaction ends, whatever their account; waits
   * itself for those who are in the middle of it. The queries that follow see what those before them have committed.
   */
  async holdHosts(trx: Transaction, hosts: readonly string[]): Promise<void> {
    await sql`
      select pg_advisory_xact_lock_shared(hashtextextended('host ' || name, 0))
      from (select distinct unnest(${hosts.flatMap(namesCovering)}::text[]) as name order by name) as names
    `.execute(trx);
  },

  /** Makes those wait who are about to serve what this name covers, until this transaction ends. */
  async holdName(trx: Transaction, name: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`host ${name}`}, 0))`.execute(trx);
  },

  /** What each of these places is reserved as, in their order: by its own name, else by the wildcard beside it. */
  async of(trx: Transaction, places: readonly Place[]): Promise<readonly PlaceReservations[]> {
    const names = places.flatMap(({ host }) => namesCovering(host));
    const addresses = places.flatMap(({ hostport }) => hostport ?? []);
    const { rows } = await sql<Reservation & { name: string }>`
      select id, account_id as "accountId", attributes ->> 'domain' as name from resources
      where kind = 'reserved_domain' and attributes ->> 'domain' = any(${names})
      union all
      select id, account_id, attributes ->> 'addr' from resources
      where kind = 'reserved_addr' and attributes ->> 'addr' = any(${addresses})`.execute(trx);
    const byName = new Map(rows.map(({ name, id, accountId }) => [name, { id, accountId }]));
    return places.map(({ host, hostport }) => ({
      domain: namesCovering(host)
        .map((name) => byName.get(name))
        .find((found) => found !== undefined),
      address: hostport === null ? undefined : byName.get(hostport),
    }));
  },
};

/** Whether a place is reserved by another account than this one. */
export function isForeign({ domain, address }: PlaceReservations, accountId: string): boolean {
  return [domain, address].some((found) => found !== undefined && found.accountId !== accountId);
}

/** The names under which a host can be reserved: itself, and the wildcard beside it. */
function namesCovering(host: string): readonly string[] {
  return host.startsWith('*.') ? [host] : [host, host.replace(/^[^.]+/, '*')];
}
