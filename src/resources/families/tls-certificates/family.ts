import { defineFamily } from '../../framework/family.js';
import { tlsCertificate } from './tls-certificate.js';
import { TlsCertificateBehaviour } from './tls-certificate-behaviour.js';

/** TLS certificates. */
export const tlsCertificates = defineFamily({
  definition: tlsCertificate,
  behaviour: { create: () => new TlsCertificateBehaviour() },
});
