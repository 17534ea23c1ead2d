import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { readAuthority } from './certificate-authority.js';

/** Reads the fields of an authority from its certificate at creation: the certificate never changes. */
export class CertificateAuthorityBehaviour implements ResourceBehaviour {
  prepare({ before, attributes }: PendingChange): Attributes {
    if (before !== null) return attributes;
    const authority = readAuthority(String(attributes.ca_pem));
    return {
      ...attributes,
      subject_common_name: authority.subject.commonName,
      not_before: authority.notBefore,
      not_after: authority.notAfter,
      key_usages: authority.keyUsages,
      extended_key_usages: authority.extendedKeyUsages,
    };
  }
}
