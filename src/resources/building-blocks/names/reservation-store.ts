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
    await this.lock(hosts, null);
  }

  /**
   * Takes the exclusive lock on a name, and a shared one on the wildcard that covers it, until the transaction ends:
   * no resource can start to serve its hosts until then, and nobody can reserve a name that overlaps it.
   */
  async lockName(name: string): Promise<void> {
    await this.lock([name], name);
  }

  /** Takes the locks in a common order, wildcards first: this prevents deadlocks. */
  private async lock(hosts: readonly string[], exclusive: string | null): Promise<void> {
    await sql`
      select case when name = ${exclusive} then pg_advisory_xact_lock(hashtextextended('host ' || name, 0))
        else pg_advisory_xact_lock_shared(hashtextextended('host ' || name, 0)) end
      from (select distinct unnest(${hosts.flatMap(coveringNames)}::text[]) collate "C" as name order by name) as names
    `.execute(this.trx);
  }

  /** Whether another account has reserved the wildcard that covers a name, or a name that the wildcard covers. */
  async overlapsAnother(name: string, accountId: string): Promise<boolean> {
    const { rows } = await sql`
      select from resources where kind = 'reserved_domain' and account_id <> ${accountId}
        and (attributes ->> 'domain' = ${wildcardOf(name)} or ${wildcardOfDomain} = ${name}) limit 1`.execute(this.trx);
    return rows.length > 0;
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
  return [host, wildcardOf(host)];
}

/** The wildcard that covers a host; a wildcard itself. */
function wildcardOf(host: string): string {
  return host.replace(/^[^.]+/, '*');
}

/** As `wildcardOf`, of a reserved domain. The index `reserved_domains_by_wildcard` has it. */
const wildcardOfDomain = sql`regexp_replace(attributes ->> 'domain', '^[^.]+', '*')`;
