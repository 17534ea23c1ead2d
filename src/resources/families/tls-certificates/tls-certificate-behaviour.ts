import { leafOf, type Certificate } from '../../../certificates/certificate.js';
import { typeOfKey } from '../../../certificates/private-key.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';

/** Reads the fields of a TLS certificate from its PEM text at creation: the certificate never changes. */
export class TlsCertificateBehaviour implements ResourceBehaviour {
  prepare({ before, attributes }: PendingChange): Attributes {
    if (before !== null) return attributes;
    return { issued_at: null, ...attributes, ...factsOf(leafOf(String(attributes.certificate_pem))) };
  }
}

function factsOf(certificate: Certificate): Attributes {
  const { subject } = certificate;
  return {
    subject_common_name: subject.commonName,
    subject_alternative_names: { dns_names: certificate.dnsNames, ips: certificate.ips },
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    key_usages: certificate.keyUsages,
    extended_key_usages: certificate.extendedKeyUsages,
    private_key_type: typeOfKey(certificate.x509.publicKey),
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
