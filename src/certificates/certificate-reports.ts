import { invalidInput, type InputError } from '../problems/problem.js';
import { CertificateError, leafOf } from './certificate.js';
import type { CertificateHolders, IssuedCertificate } from './certificate-holders.js';
import type { CertificateJobs } from './certificate-jobs.js';
import { assertKeyOf } from './private-key.js';

/** What the data plane says of a certificate that it was to get. */
export type CertificateReport =
  | { readonly issued: { readonly certificatePem: string; readonly privateKeyPem: string } }
  | { readonly failed: { readonly message: string } };

/** Most characters of a failure's message that are kept: it goes into every event of the resource. */
const MAX_MESSAGE = 1_000;

/** Takes what the data plane reports: issuing is its work, and it alone speaks to the authority. */
export class CertificateReports {
  constructor(
    private readonly holders: CertificateHolders,
    private readonly jobs: CertificateJobs,
  ) {}

  /**
   * Takes one report: a certificate is taken into use, and its renewal scheduled; a failure is shown, and tried again later.
   * The same certificate reported again changes nothing.
   * @param id of a reserved domain or an agent ingress
   * @throws Problem `invalid_input` when certificate and key are not what they should be (pointers `/issued/certificate_pem`
   *   and `/issued/private_key_pem`), `not_found`, `conflict` when the certificate of the resource is not managed
   */
  async reportCertificate(id: string, report: CertificateReport): Promise<void> {
    const next =
      'issued' in report
        ? await this.holders.issued(id, readIssued(report.issued))
        : await this.holders.failed(id, report.failed.message.slice(0, MAX_MESSAGE));
    if (next) this.jobs.schedule(next.id, next.dueAt);
  }
}

function readIssued(given: {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}): IssuedCertificate {
  const leaf = refusing('/issued/certificate_pem', () => leafOf(given.certificatePem));
  refusing('/issued/private_key_pem', () => assertKeyOf(leaf.x509, given.privateKeyPem));
  return { ...given, leaf };
}

function refusing<T>(pointer: InputError['pointer'], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificateError) throw invalidInput([{ pointer, detail: error.message }]);
    throw error;
  }
}
