import { invalidInput, type Problem } from '../../problems/problem.js';
import type { PrivateKeyForm } from './key-header.js';

/**
 * Largest PEM text, in bytes. Ten certificates with RSA keys of 4,096 bits and a few names fit (2,150 bytes each), of
 * 8,192 bits nine (3,540 bytes each). The event has the text with its line breaks escaped, and the names of the first
 * certificate once more. It exceeds the limit of events, a 413, only with thousands of empty lines or names.
 */
export const MAX_PEM_BYTES = 32_768;

/** Most certificates in one chain: real chains have up to four. */
const MAX_CHAIN = 10;

/** The field of a certificate or of its key, as in the body of a TLS certificate. */
export type PemField = 'certificate_pem' | 'private_key_pem';

/** Returns the problem of an invalid certificate or key. */
export function unfit(detail: string, field: PemField = 'certificate_pem'): Problem {
  return invalidInput([{ pointer: `/${field}`, detail }]);
}

/** An RFC 7468 block. Text between blocks is ignored. */
const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

interface PemBlock {
  readonly label: string;
  readonly der: Buffer;
}

function blocksIn(pem: string): readonly PemBlock[] {
  return [...pem.matchAll(pemBlock)].map(([, label = '', text = '']) => ({ label, der: Buffer.from(text, 'base64') }));
}

/**
 * Returns the DER of every certificate of a PEM text, in order; at least one.
 * @throws Problem `invalid_input` when there is none, too many, or another kind of block
 */
export function certificatesIn(pem: string): readonly Buffer[] {
  const blocks = blocksIn(pem);
  if (blocks.length === 0) throw unfit('must be a certificate in PEM');
  // The text is stored and shown as it came: a damaged block could be a private key.
  if (pem.split('-----BEGIN').length - 1 !== blocks.length) {
    throw unfit('must hold only whole PEM blocks, and one of them is damaged');
  }
  if (blocks.length > MAX_CHAIN) throw unfit(`must not hold more than ${MAX_CHAIN} certificates`);
  const other = blocks.find(({ label }) => label !== 'CERTIFICATE');
  if (other) throw unfit(`must hold only certificates, but holds a ${other.label.slice(0, 40).toLowerCase()}`);
  return blocks.map(({ der }) => der);
}

/** The labels of private keys: https://www.rfc-editor.org/rfc/rfc7468#section-10 and OpenSSL's own forms. */
const forms: Readonly<Record<string, PrivateKeyForm>> = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
};

/** A private key as its PEM text has it. */
export interface EncodedKey {
  readonly der: Buffer;
  readonly form: PrivateKeyForm;
}

/**
 * Returns the first private key of a PEM text; undefined when there is none.
 * @throws Problem `invalid_input` when it is encrypted
 */
export function privateKeyIn(pem: string): EncodedKey | undefined {
  if (/ENCRYPTED/.test(pem)) throw unfit('must not be encrypted with a passphrase', 'private_key_pem');
  for (const { label, der } of blocksIn(pem)) {
    const form = forms[label];
    if (form !== undefined) return { der, form };
  }
  return undefined;
}
