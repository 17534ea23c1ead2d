import type { Config } from '../../../config/config.js';
import type { Region } from './region.js';

/** The settings that names are made of. */
export type NameSettings = Pick<
  Config,
  'SERVICE_DOMAINS' | 'CNAME_DOMAIN' | 'NAME_SERVERS' | 'INGRESS_REGIONS'
>;

/** The names that the service itself has in DNS, and those that it makes for resources. */
export class ServiceNames {
  /** Values of the NS records that hand a domain to the service. */
  readonly nameServers: readonly string[];
  private readonly domains: readonly string[];
  private readonly cnameDomain: string;
  private readonly tcpDomain: string;
  private readonly regions: readonly string[];

  constructor(settings: NameSettings) {
    const [first = ''] = settings.SERVICE_DOMAINS;
    this.domains = settings.SERVICE_DOMAINS;
    this.cnameDomain = settings.CNAME_DOMAIN ?? `cname.${first}`;
    this.tcpDomain = `tcp.${first}`;
    this.regions = settings.INGRESS_REGIONS;
    this.nameServers = settings.NAME_SERVERS ?? [`ns1.${first}`, `ns2.${first}`];
  }

  /** Whether a name is below one of the service's own domains, whose DNS needs nothing of a client. */
  ownsParentOf(name: string): boolean {
    return this.domains.some((domain) => isBelow(name, domain));
  }

  /** Whether a name is, or as a wildcard would take in, one that the service uses itself. */
  uses(name: string): boolean {
    const taken = [...this.domains, this.cnameDomain, this.tcpDomain, ...this.nameServers];
    return (
      taken.some((own) => name === own || name === `*.${own}`) ||
      [this.cnameDomain, this.tcpDomain].some((own) => isBelow(name, own))
    );
  }

  /** What a custom host name is pointed to; `id` is a resource's. */
  cnameTarget(id: string): string {
    return `${labelOf(id)}.${this.cnameDomain}`;
  }

  /** What the `_acme-challenge` host of a custom wildcard is pointed to. */
  acmeChallengeTarget(id: string): string {
    return `acme-${labelOf(id)}.${this.cnameDomain}`;
  }

  /** A host for TCP addresses. */
  tcpHost(number: number, region: Region): string {
    return `${number}.${region}.${this.tcpDomain}`;
  }

  /** The regional domains of an agent ingress. */
  regionDomains(domain: string): readonly string[] {
    return this.regions.map((region) => `${region}.${domain}`);
  }
}

function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}

/** The part of an id behind its prefix: a label of 26 letters and digits. */
function labelOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}
