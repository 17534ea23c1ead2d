/** The part of a certificate with its key that an error is about. */
export type CertificatePart = 'certificate' | 'private_key';

/**
 * Thrown for an invalid certificate or key. The message follows the name of the field: `must be a certificate in PEM`.
 */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';

  constructor(
    message: string,
    readonly part: CertificatePart = 'certificate',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
