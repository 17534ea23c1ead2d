import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { readAuthority } from './certificate-authority.js';

/** What an authority shows of itself is read from its certificate once, when it is created: it never changes. */
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
