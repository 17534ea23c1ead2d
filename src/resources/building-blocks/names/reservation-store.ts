import { sql } from 'kysely';
import type { Transaction } from '../../../database/database.js';

/** A reserved name or address, and the account that reserved it. */
export interface Reservation {
  /** Id of the reserved domain or address. */
  readonly id: string;
  readonly accountId: string;
}

/** A host, or a hostport, that a resource is to serve. */
export interface ServedHost {
  /** In lower-case ASCII. May be a wildcard such as `*.example.com`. */
  readonly host: string;
  /** `host:port` to match reserved addresses; null to match reserved domains only. */
  readonly hostport: string | null;
}

/** The reservations that cover a served host. */
export interface HostReservations {
  readonly domain: Reservation | undefined;
  readonly address: Reservation | undefined;
}

/** Queries on reserved domains and addresses. */
export class ReservationStore {
  constructor(private readonly trx: Transaction) {}

  /**
   * Takes shared locks on the names that cover these hosts, until the transaction ends: no other account can reserve
   * them until then. Later queries of the transaction see reservations that were committed before.
   */
  async lockHosts(hosts: readonly string[]): Promise<void> {
    await sql`
      select pg_advisory_xact_lock_shared(hashtextextended('host ' || name, 0))
      from (select distinct unnest(${hosts.flatMap(coveringNames)}::text[]) as name order by name) as names
    `.execute(this.trx);
  }

  /**
   * Takes the exclusive lock on a name, until the transaction ends: no resource can start to serve its hosts until
   * then.
   */
  async lockName(name: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`host ${name}`}, 0))`.execute(this.trx);
  }

  /** Finds the reservations of each host, in order. The name of the host precedes its wildcard. */
  async find(hosts: readonly ServedHost[]): Promise<readonly HostReservations[]> {
    const names = hosts.flatMap(({ host }) => coveringNames(host));
    const addresses = hosts.flatMap(({ hostport }) => hostport ?? []);
    const { rows } = await sql<Reservation & { name: string }>`
      select id, account_id as "accountId", attributes ->> 'domain' as name from resources
      where kind = 'reserved_domain' and attributes ->> 'domain' = any(${names})
      union all
      select id, account_id, attributes ->> 'addr' from resources
      where kind = 'reserved_addr' and attributes ->> 'addr' = any(${addresses})`.execute(this.trx);
    const byName = new Map(rows.map(({ name, id, accountId }) => [name, { id, accountId }]));
    return hosts.map(({ host, hostport }) => ({
      domain: coveringNames(host)
        .map((name) => byName.get(name))
        .find((found) => found !== undefined),
      address: hostport === null ? undefined : byName.get(hostport),
    }));
  }
}

/** Whether another account has reserved the host. */
export function isReservedByAnother({ domain, address }: HostReservations, accountId: string): boolean {
  return [domain, address].some((found) => found !== undefined && found.accountId !== accountId);
}

/** The names that cover a host: the host and its wildcard. */
function coveringNames(host: string): readonly string[] {
  return host.startsWith('*.') ? [host] : [host, host.replace(/^[^.]+/, '*')];
}
