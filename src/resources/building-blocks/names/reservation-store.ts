import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** A reserved name or address, and the account that reserved it. */
export interface Reservation {
  /** Of the reserved domain or address. */
  readonly id: string;
  readonly accountId: string;
}

/** A host, or a hostport, that a resource is to serve. */
export interface ServedHost {
  /** Lower-case ASCII; a wildcard such as `*.example.com` too. */
  readonly host: string;
  /** `host:port`, where an address counts that is reserved as a whole; null where only names do. */
  readonly hostport: string | null;
}

/** The reservations that cover a served host. */
export interface HostReservations {
  readonly domain: Reservation | undefined;
  readonly address: Reservation | undefined;
}

/** Every query about reservations of what is served. */
export class ReservationStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Makes those wait who are about to reserve one of these hosts, until this transaction ends, whatever their account; waits
   * itself for those who are in the middle of it. The queries that follow see what those before them have committed.
   */
  async holdHosts(hosts: readonly string[]): Promise<void> {
    await sql`
      select pg_advisory_xact_lock_shared(hashtextextended('host ' || name, 0))
      from (select distinct unnest(${hosts.flatMap(namesCovering)}::text[]) as name order by name) as names
    `.execute(this.trx);
  }

  /** Makes those wait who are about to serve what this name covers, until this transaction ends. */
  async holdName(name: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`host ${name}`}, 0))`.execute(this.trx);
  }

  /** Returns the reservations of each of these hosts, in their order: of its own name, else of the wildcard beside it. */
  async of(hosts: readonly ServedHost[]): Promise<readonly HostReservations[]> {
    const names = hosts.flatMap(({ host }) => namesCovering(host));
    const addresses = hosts.flatMap(({ hostport }) => hostport ?? []);
    const { rows } = await sql<Reservation & { name: string }>`
      select id, account_id as "accountId", attributes ->> 'domain' as name from resources
      where kind = 'reserved_domain' and attributes ->> 'domain' = any(${names})
      union all
      select id, account_id, attributes ->> 'addr' from resources
      where kind = 'reserved_addr' and attributes ->> 'addr' = any(${addresses})`.execute(this.trx);
    const byName = new Map(rows.map(({ name, id, accountId }) => [name, { id, accountId }]));
    return hosts.map(({ host, hostport }) => ({
      domain: namesCovering(host)
        .map((name) => byName.get(name))
        .find((found) => found !== undefined),
      address: hostport === null ? undefined : byName.get(hostport),
    }));
  }
}

/** Whether a host is reserved by another account than this one. */
export function isForeign({ domain, address }: HostReservations, accountId: string): boolean {
  return [domain, address].some((found) => found !== undefined && found.accountId !== accountId);
}

/** The names under which a host can be reserved: itself, and the wildcard beside it. */
function namesCovering(host: string): readonly string[] {
  return host.startsWith('*.') ? [host] : [host, host.replace(/^[^.]+/, '*')];
}
