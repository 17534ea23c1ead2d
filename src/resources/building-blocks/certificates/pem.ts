import { z } from 'zod';
import { CertificateError } from '../../../certificates/certificate.js';

/** Largest PEM text, in bytes: a chain of ten fits, and its event stays below the size limit. */
export const MAX_PEM_BYTES = 32_768;

/** A field of PEM text. `read` throws a CertificateError when the text is not valid. */
export function pemField(read: (pem: string) => unknown, description: string) {
  return z
    .string()
    .max(MAX_PEM_BYTES)
    .superRefine((pem, context) => {
      const message = pemError(() => read(pem));
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ description });
}

/** Runs `read`. Returns the message of the CertificateError that it throws, or null. */
export function pemError(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}
