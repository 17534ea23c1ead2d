import type { Family } from '../../framework/family.js';
import { certificateAuthority } from './certificate-authority.js';
import { CertificateAuthorityBehaviour } from './certificate-authority-behaviour.js';

/** Certificate authorities. */
export const certificateAuthorities = {
  definition: certificateAuthority,
  behaviour: () => new CertificateAuthorityBehaviour(),
} satisfies Family;
