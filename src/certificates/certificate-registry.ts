import { tokenOf } from '../lifecycle/provide.js';
import type { DnsRecords } from './dns-records.js';
import type { Failure } from './provisioning.js';
import type { Certificate } from './reading/certificate.js';

/** A managed certificate with a scheduled check. */
export interface ManagedCertificate {
  /** Id of the resource. */
  readonly id: string;
  /** When the check is due. `recordCheck` compares it to detect a concurrent change. */
  readonly dueAt: string;
  /** The failure that the check finds: the data plane has not reported the certificate by then. Otherwise null. */
  readonly overdue: Failure | null;
  /** Null when no DNS records are required. */
  readonly records: DnsRecords | null;
}

/** A certificate that the data plane ordered, with its key. */
export interface IssuedCertificate {
  /** The certificate in PEM, with its chain. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly leaf: Certificate;
}

/**
 * The managed certificates of resources of any family. Every change is one transaction with its events.
 * `resources/managed-certificates` is the implementation.
 */
export interface CertificateRegistry {
  /** Lists the ids of the resources whose checks were due before a time, the earliest first. */
  listDue(before: Date, limit: number): Promise<readonly string[]>;
  /** Returns null when there is no such resource, or no scheduled check. */
  find(id: string): Promise<ManagedCertificate | null>;
  /**
   * Records the result of a check; null: all records are in place. Does nothing after a concurrent change.
   * @returns when the next check is due, RFC 3339; null when nothing was recorded
   */
  recordCheck(certificate: ManagedCertificate, failure: Failure | null): Promise<string | null>;
  /**
   * Replaces the current certificate.
   * @throws Problem `not_found`; `conflict` when the certificate is not managed; `invalid_input` when it does not cover
   * the names of the resource, or its key has another type than in the policy (pointer `/issued/certificate_pem`)
   */
  recordIssued(id: string, certificate: IssuedCertificate): Promise<void>;
  /**
   * Records that issuing failed. Does nothing without a provisioning job.
   * @throws as `recordIssued`
   */
  recordFailure(id: string, message: string): Promise<void>;
}
/** The injection token of `CertificateRegistry`. */
export const CERTIFICATE_REGISTRY = tokenOf<CertificateRegistry>('CertificateRegistry');
