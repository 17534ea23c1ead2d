import type { Family } from '../../framework/family.js';
import { tlsCertificate } from './tls-certificate.js';
import { TlsCertificateBehaviour } from './tls-certificate-behaviour.js';

/** TLS certificates. */
export const tlsCertificates = {
  definition: tlsCertificate,
  behaviour: () => new TlsCertificateBehaviour(),
} satisfies Family;
