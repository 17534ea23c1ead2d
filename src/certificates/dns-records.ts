import { Resolver } from 'node:dns/promises';
import type { Failure } from './provisioning.js';

/** What must stand in DNS before a certificate can be issued. */
export type DnsRecords =
  | { readonly type: 'CNAME'; readonly name: string; readonly target: string }
  | { readonly type: 'NS'; readonly name: string; readonly targets: readonly string[] };

/** What of Node's resolver is needed. */
export type NameResolver = Pick<Resolver, 'resolveCname' | 'resolveNs'>;

/** How long one question may take, in milliseconds, and how often it is asked. */
const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** Longest chain of CNAME records that is followed. */
const MAX_CHAIN = 8;

/** There is no such name, or no such record: https://nodejs.org/docs/latest-v20.x/api/dns.html#error-codes */
const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** A resolver that asks these servers (`address` or `address:port`), or those of the system. */
export function nameResolver(servers: readonly string[] | undefined): NameResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return resolver;
}

/** Looks whether records are in place; null when they are. Never throws for what DNS says or for its silence. */
export async function checkRecords(resolver: NameResolver, records: DnsRecords): Promise<Failure | null> {
  try {
    return records.type === 'CNAME'
      ? await checkAlias(resolver, records.name, records.target)
      : await checkNameServers(resolver, records.name, records.targets);
  } catch (error) {
    const reason = codeOf(error) ?? 'unknown error';
    return {
      code: 'INTERNAL_ERROR',
      message: `The ${records.type} record of ${records.name} could not be looked up (${reason}).`,
    };
  }
}

async function checkAlias(resolver: NameResolver, name: string, target: string): Promise<Failure | null> {
  const wish = `Make it a CNAME record with the value ${target}.`;
  let at = name;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const [next] = await found(resolver.resolveCname(at));
    if (next === undefined) {
      const said = at === name ? `${name} has no CNAME record.` : `${name} points to ${at}.`;
      return { code: 'DNS_ERROR', message: `${said} ${wish}` };
    }
    if (next === target) return null;
    at = next;
  }
  return { code: 'DNS_ERROR', message: `${name} begins a chain of CNAME records without an end. ${wish}` };
}

async function checkNameServers(
  resolver: NameResolver,
  name: string,
  targets: readonly string[],
): Promise<Failure | null> {
  const servers = await found(resolver.resolveNs(name));
  const missing = targets.filter((target) => !servers.includes(target));
  const foreign = servers.filter((server) => !targets.includes(server));
  if (missing.length === 0 && foreign.length === 0) return null;
  const said =
    servers.length === 0
      ? `${name} has no NS records.`
      : `${name} has the name servers ${servers.join(', ')}.`;
  return {
    code: 'DNS_ERROR',
    message: `${said} Its NS records must be ${targets.join(', ')} and no others.`,
  };
}

/** The names of an answer, in lower case and without the dot at their end; empty where there are none. */
async function found(answer: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return (await answer).map((name) => name.toLowerCase().replace(/\.$/, ''));
  } catch (error) {
    if (absent.has(codeOf(error) ?? '')) return [];
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
