import type { Certificate } from './certificate.js';
import type { DnsRecords } from './dns-records.js';
import type { Failure } from './provisioning.js';

/** A resource whose certificate is managed, at the moment that a check is due. */
export interface CertificateHolder {
  readonly id: string;
  /** When the check was due: proves later that nothing happened meanwhile. */
  readonly dueAt: string;
  /** Null where nothing needs to stand in DNS. */
  readonly records: DnsRecords | null;
}

/** Sees to it that a managed resource is checked at that time; null: not before something happens. Never throws. */
export type ScheduleCheck = (id: string, at: Date | null) => void;

/** When something is to be checked. */
export interface DueCheck {
  readonly id: string;
  readonly dueAt: Date;
}

/** A certificate with its key, as the data plane has got it. */
export interface IssuedCertificate {
  /** The certificate in PEM, with its chain. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly leaf: Certificate;
}

/**
 * The resources whose certificates are managed, whatever families they are of. Every change is one transaction with its
 * events. `resources/managed-certificates` is the implementation.
 */
export interface CertificateHolders {
  /** Those whose check was due before this, the earliest first. */
  due(before: Date, limit: number): Promise<readonly DueCheck[]>;
  /** Null where there is no such resource, or nothing to check. */
  find(id: string): Promise<CertificateHolder | null>;
  /**
   * Records what a check has found; null: everything in place. Does nothing where something else happened meanwhile.
   * @returns when to check next; null: when something happens
   */
  checked(holder: CertificateHolder, failure: Failure | null): Promise<Date | null>;
  /**
   * Takes a certificate into use instead of the one before.
   * @throws Problem `not_found`, or `conflict` where the certificate is not managed
   */
  issued(id: string, certificate: IssuedCertificate): Promise<DueCheck | null>;
  /** Records that no certificate could be issued. @throws as `issued` */
  failed(id: string, message: string): Promise<DueCheck | null>;
}
