import type { CertificateRegistry, IssuedCertificate } from './certificate-registry.js';
import { readingFields } from './reading/certificate-problem.js';
import type { CertificateReader } from './reading/certificate-reader.js';

/** A report of the data plane: a certificate was issued, or issuing failed. */
export type CertificateReport =
  | { readonly issued: { readonly certificatePem: string; readonly privateKeyPem: string } }
  | { readonly failed: { readonly message: string } };

/** Accepts reports of the data plane, which orders certificates from the authority. */
export class CertificateReports {
  constructor(
    private readonly registry: CertificateRegistry,
    private readonly reader: Pick<CertificateReader, 'readPair'>,
  ) {}

  /**
   * Accepts one report. An issued certificate replaces the current one, and its renewal is scheduled. A failure sets
   * the status, and a retry is scheduled. A repeated report of the same certificate, and a failure without a
   * provisioning job, change nothing.
   * @param id of a reserved domain or an agent ingress
   * @throws Problem `invalid_input` for an invalid certificate or key (pointers `/issued/certificate_pem` and
   * `/issued/private_key_pem`), `not_found`, `conflict` when the certificate of the resource is not managed
   */
  async reportCertificate(id: string, report: CertificateReport): Promise<void> {
    if ('issued' in report) await this.registry.recordIssued(id, await this.readIssued(report.issued));
    else await this.registry.recordFailure(id, report.failed.message);
  }

  private async readIssued(given: {
    readonly certificatePem: string;
    readonly privateKeyPem: string;
  }): Promise<IssuedCertificate> {
    const pointers = { certificate: '/issued/certificate_pem', private_key: '/issued/private_key_pem' };
    const leaf = await readingFields(pointers, () => this.reader.readPair(given.certificatePem, given.privateKeyPem));
    return { ...given, leaf };
  }
}
