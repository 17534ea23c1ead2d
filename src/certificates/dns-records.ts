import { Resolver } from 'node:dns/promises';
import { storable } from '../bounds/storable.js';
import { withTimeout } from '../timing/with-timeout.js';
import type { Failure } from './provisioning.js';

/** The DNS records that are required before a certificate can be issued. */
export type DnsRecords =
  | { readonly type: 'CNAME'; readonly name: string; readonly target: string }
  | { readonly type: 'NS'; readonly name: string; readonly targets: readonly string[] };

/** The methods of Node's resolver that checks use. */
export type NameResolver = Pick<Resolver, 'resolveCname' | 'resolveNs'>;

/** Timeout of one query, in milliseconds, and number of tries. */
const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** Longest time of a check, in milliseconds. The names that are due next wait while a name server is slow. */
const LONGEST_CHECK_MS = 30_000;

/** Longest chain of CNAME records that is followed. */
const MAX_CHAIN = 8;

/** Longest name in a message, in characters, and most names. A DNS response may have hundreds of longer ones. */
const LONGEST_NAME = 253;
const MAX_NAMES = 3;

/** No such name, or no such record: https://nodejs.org/docs/latest-v20.x/api/dns.html#error-codes */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** Makes a resolver for these servers (`address` or `address:port`), or for those of the system. */
export function nameResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return resolver;
}

/**
 * Checks DNS records. Returns null when all are in place. Never throws for a DNS response, error or timeout.
 */
export async function checkRecords(resolver: NameResolver, records: DnsRecords): Promise<Failure | null> {
  const lookup =
    records.type === 'CNAME'
      ? checkAlias(resolver, records.name, records.target)
      : checkNameServers(resolver, records.name, records.targets);
  try {
    const failure = await withTimeout(lookup, LONGEST_CHECK_MS);
    return failure === undefined ? lookupFailed(records, 'ETIMEOUT') : failure;
  } catch (error) {
    return lookupFailed(records, codeOf(error) ?? 'unknown error');
  }
}

function lookupFailed({ type, name }: DnsRecords, reason: string): Failure {
  return { code: 'INTERNAL_ERROR', message: `The lookup of the ${type} record of ${name} failed (${reason}).` };
}

async function checkAlias(resolver: NameResolver, name: string, target: string): Promise<Failure | null> {
  const instruction = `Set its CNAME record to ${target}.`;
  let at = name;
  for (let hops = 0; hops < MAX_CHAIN; hops += 1) {
    const [next] = await resolvedNames(resolver.resolveCname(at));
    if (next === undefined) {
      const found = at === name ? `${name} has no CNAME record.` : `${name} points to ${storable(at, LONGEST_NAME)}.`;
      return { code: 'DNS_ERROR', message: `${found} ${instruction}` };
    }
    if (next === target) return null;
    at = next;
  }
  return {
    code: 'DNS_ERROR',
    message: `The CNAME chain of ${name} has more than ${MAX_CHAIN} records. ${instruction}`,
  };
}

async function checkNameServers(
  resolver: NameResolver,
  name: string,
  targets: readonly string[],
): Promise<Failure | null> {
  const servers = await resolvedNames(resolver.resolveNs(name));
  const missing = targets.filter((target) => !servers.includes(target));
  const foreign = servers.filter((server) => !targets.includes(server));
  if (missing.length === 0 && foreign.length === 0) return null;
  const found = servers.length === 0 ? `${name} has no NS records.` : `${name} has the name servers ${shown(servers)}.`;
  return {
    code: 'DNS_ERROR',
    message: `${found} Its NS records must be exactly ${targets.join(', ')}.`,
  };
}

/** The first names of a DNS response, and the number of the others. */
function shown(names: readonly string[]): string {
  const first = names.slice(0, MAX_NAMES).map((name) => storable(name, LONGEST_NAME));
  const others = names.length - first.length;
  return others === 0 ? first.join(', ') : `${first.join(', ')} and ${others} more`;
}

/** The names in a DNS response, in lower case and without the final dot. Empty when there are no records. */
async function resolvedNames(query: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return (await query).map((name) => name.toLowerCase().replace(/\.$/, ''));
  } catch (error) {
    if (absent.has(codeOf(error) ?? '')) return [];
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
