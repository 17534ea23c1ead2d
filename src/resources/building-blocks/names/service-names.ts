import type { Config } from '../../../config/config.js';
import type { Region } from './region.js';

/** The settings for DNS names. */
export type NameSettings = Pick<Config, 'SERVICE_DOMAINS' | 'CNAME_DOMAIN' | 'NAME_SERVERS' | 'INGRESS_REGIONS'>;

/** The DNS names of the service, and the names that the service assigns to resources. */
export class ServiceNames {
  /** Values of the NS records that delegate a domain to the service. */
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

  /** Whether a name is a subdomain of a service-owned domain, which needs no DNS records from the client. */
  ownsParentOf(name: string): boolean {
    return this.domains.some((domain) => isBelow(name, domain));
  }

  /** Whether a name is used by the service, or is a wildcard that covers such a name. */
  uses(name: string): boolean {
    const used = [...this.domains, this.cnameDomain, this.tcpDomain, ...this.nameServers];
    return (
      used.some((own) => name === own || name === `*.${own}`) ||
      [this.cnameDomain, this.tcpDomain].some((own) => isBelow(name, own))
    );
  }

  /** The CNAME target of a custom host name. @param id id of the resource */
  cnameTarget(id: string): string {
    return `${labelOf(id)}.${this.cnameDomain}`;
  }

  /** The CNAME target of the `_acme-challenge` host of a custom wildcard. */
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

/** The part of an id after its prefix: a label of 26 letters and digits. */
function labelOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}
