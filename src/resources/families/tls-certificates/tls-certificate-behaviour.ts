import type { CertificateReader } from '../../../certificates/reading/certificate-reader.js';
import type { Certificate } from '../../../certificates/reading/certificate.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';

/** Reads the fields of a TLS certificate from its PEM text at creation: the certificate never changes. */
export class TlsCertificateBehaviour implements ResourceBehaviour {
  constructor(private readonly reader: Pick<CertificateReader, 'readPair'>) {}

  async beforeCreate(body: Attributes): Promise<Attributes> {
    const { certificate_pem: certificate, private_key_pem: key } = body;
    const leaf = await this.reader.readPair(String(certificate), String(key));
    return { ...body, issued_at: null, ...certificateFacts(leaf) };
  }
}

/** Returns the attributes of a TLS certificate that its PEM text decides. */
export function certificateFacts(certificate: Certificate): Attributes {
  const { subject } = certificate;
  return {
    subject_common_name: subject.commonName,
    subject_alternative_names: { dns_names: certificate.dnsNames, ips: certificate.ips },
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    key_usages: certificate.keyUsages,
    extended_key_usages: certificate.extendedKeyUsages,
    private_key_type: certificate.keyType,
    issuer_common_name: certificate.issuerCommonName,
    serial_number: certificate.serialNumber,
    fingerprint_sha256: certificate.fingerprint,
    subject_organization: subject.organization,
    subject_organizational_unit: subject.organizationalUnit,
    subject_locality: subject.locality,
    subject_province: subject.province,
    subject_country: subject.country,
  };
}
