import { z } from 'zod';
import { CertificateError } from '../../../certificates/certificate.js';

/** Largest PEM text, in bytes: a chain of ten fits, and so does the event that shows it. */
export const MAX_PEM_BYTES = 32_768;

/** A field of PEM text, of which `read` takes what it needs or throws a CertificateError. */
export function pemField(read: (pem: string) => unknown, description: string) {
  return z
    .string()
    .max(MAX_PEM_BYTES)
    .superRefine((pem, context) => {
      const message = complaint(() => read(pem));
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ description });
}

/** What is wrong with what `read` reads, or null. */
export function complaint(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
}
