import { invalidInput, type InputError } from '../problems/problem.js';
import type { CertificateJobs } from './certificate-jobs.js';
import type { CertificateRegistry, IssuedCertificate } from './certificate-registry.js';
import { CertificateError, leafOf } from './certificate.js';
import { assertKeyOf } from './private-key.js';

/** A report of the data plane: a certificate was issued, or issuing failed. */
export type CertificateReport =
  | { readonly issued: { readonly certificatePem: string; readonly privateKeyPem: string } }
  | { readonly failed: { readonly message: string } };

/** Most characters of a failure message that are stored: the message is in every event of the resource. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Accepts reports of the data plane, which orders certificates from the authority. */
export class CertificateReports {
  constructor(
    private readonly registry: CertificateRegistry,
    private readonly jobs: CertificateJobs,
  ) {}

  /**
   * Accepts one report. An issued certificate replaces the current one, and its renewal is scheduled. A failure sets
   * the status, and a retry is scheduled. A repeated report of the same certificate changes nothing.
   * @param id of a reserved domain or an agent ingress
   * @throws Problem `invalid_input` for an invalid certificate or key (pointers `/issued/certificate_pem` and
   * `/issued/private_key_pem`), `not_found`, `conflict` when the certificate of the resource is not managed
   */
  async reportCertificate(id: string, report: CertificateReport): Promise<void> {
    const next =
      'issued' in report
        ? await this.registry.recordIssued(id, readIssued(report.issued))
        : await this.registry.recordFailure(id, report.failed.message.slice(0, MAX_MESSAGE_LENGTH));
    if (next) this.jobs.schedule(next.id, next.dueAt);
  }
}

function readIssued(given: { readonly certificatePem: string; readonly privateKeyPem: string }): IssuedCertificate {
  const leaf = withPointer('/issued/certificate_pem', () => leafOf(given.certificatePem));
  withPointer('/issued/private_key_pem', () => assertKeyOf(leaf.x509, given.privateKeyPem));
  return { ...given, leaf };
}

function withPointer<T>(pointer: InputError['pointer'], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificateError) throw invalidInput([{ pointer, detail: error.message }]);
    throw error;
  }
}
