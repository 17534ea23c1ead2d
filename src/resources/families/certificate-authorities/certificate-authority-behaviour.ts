import type { CertificateReader } from '../../../certificates/reading/certificate-reader.js';
import { withPointers } from '../../../problems/problem.js';
import type { ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';

/** Reads the fields of an authority from its certificate at creation: the certificate never changes. */
export class CertificateAuthorityBehaviour implements ResourceBehaviour {
  constructor(private readonly reader: Pick<CertificateReader, 'readAuthority'>) {}

  async beforeCreate(body: Attributes): Promise<Attributes> {
    const authority = await this.reader.readAuthority(String(body.ca_pem)).catch((error: unknown) => {
      throw withPointers(error, () => '/ca_pem');
    });
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
