import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Config } from '../../config/config.js';

/** Addresses that listen on every interface. No client connects to them by this name. */
const wildcards = ['0.0.0.0', '[::]'];

/**
 * Returns the URL of a listening server, without a slash at its end. The port is the one of the socket: with the
 * setting 0 the system chooses it. A wildcard host becomes `localhost`.
 * @param host the configured host: a name or an IP address
 * @throws Error when the server does not listen
 */
export function listeningUrl(host: string, address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  const name = isIPv6(host) ? `[${host}]` : host;
  const isWildcard = URL.canParse(`http://${name}`) && wildcards.includes(new URL(`http://${name}`).hostname);
  return `http://${isWildcard ? 'localhost' : name}:${address.port}`;
}

/** Base of every `uri` where there is no request. */
export class BaseUrl {
  private known: string | undefined;

  constructor(
    private readonly config: Pick<Config, 'PUBLIC_URL' | 'SAML_URL' | 'HOST'>,
    private readonly address: () => AddressInfo | string | null,
  ) {}

  /** The address that this process listens on, or listened on before it stopped. @throws Error before it listens */
  get listening(): string {
    // A closed server has no address, and requests and checks that are under way still need it.
    this.known ??= listeningUrl(this.config.HOST, this.address());
    return this.known;
  }

  /**
   * PUBLIC_URL, else the address that this process listens on. A worker that runs alone needs PUBLIC_URL to know the
   * API's.
   * @throws Error before the process listens
   */
  get value(): string {
    return this.config.PUBLIC_URL ?? this.listening;
  }

  /**
   * Base of the addresses of SAML service providers: SAML_URL, else as `value`. No request changes it.
   * @throws Error before the process listens
   */
  get saml(): string {
    return this.config.SAML_URL ?? this.value;
  }
}
