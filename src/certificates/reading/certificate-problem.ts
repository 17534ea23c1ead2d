import { invalidInput, type InputError } from '../../problems/problem.js';
import { CertificateError, type CertificatePart } from './certificate-error.js';

/**
 * Runs `read`, and turns a CertificateError into invalid input.
 * @param pointers the fields of the certificate and of its key
 * @throws Problem `invalid_input`
 */
export async function readingFields<T>(
  pointers: Readonly<Record<CertificatePart, InputError['pointer']>>,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    throw invalidInput([{ pointer: pointers[error.part], detail: error.message }]);
  }
}
