import { readingFields } from '../../../certificates/reading/certificate-problem.js';
import type { CertificateReader } from '../../../certificates/reading/certificate-reader.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';

const pointers = { certificate: '/ca_pem', private_key: '/ca_pem' };

/** Reads the fields of an authority from its certificate at creation: the certificate never changes. */
export class CertificateAuthorityBehaviour implements ResourceBehaviour {
  constructor(private readonly reader: Pick<CertificateReader, 'readAuthority'>) {}

  async beforeCreate(body: Attributes): Promise<Attributes> {
    const authority = await readingFields(pointers, () => this.reader.readAuthority(String(body.ca_pem)));
    return {
      ...body,
      subject_common_name: authority.subject.commonName,
      not_before: authority.notBefore,
      not_after: authority.notAfter,
      key_usages: authority.keyUsages,
      extended_key_usages: authority.extendedKeyUsages,
    };
  }
}
