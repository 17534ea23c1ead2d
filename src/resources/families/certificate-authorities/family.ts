import { CertificateReader } from '../../../certificates/certificate-reader.js';
import { defineFamily } from '../../framework/definition/family.js';
import { CertificateAuthorityBehaviour } from './certificate-authority-behaviour.js';
import { certificateAuthority } from './certificate-authority.js';

/** Certificate authorities. */
export const certificateAuthorities = defineFamily({
  definition: certificateAuthority,
  behaviour: { inject: [CertificateReader], create: (reader) => new CertificateAuthorityBehaviour(reader) },
});
