import { CertificateReader } from '../../../certificates/certificate-reader.js';
import { defineFamily } from '../../framework/definition/family.js';
import { TlsCertificateBehaviour } from './tls-certificate-behaviour.js';
import { tlsCertificate } from './tls-certificate.js';

/** TLS certificates. */
export const tlsCertificates = defineFamily({
  definition: tlsCertificate,
  behaviour: { inject: [CertificateReader], create: (reader) => new TlsCertificateBehaviour(reader) },
});
