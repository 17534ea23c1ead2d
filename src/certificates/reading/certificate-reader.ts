import { ThreadTimeout, type DeadlineThread } from '../../timing/deadline-thread.js';
import { CertificateError, type CertificatePart } from './certificate-error.js';
import { readCertificate, type Certificate, type CertificateContent } from './certificate.js';
import { DerError } from './der.js';
import { assertSupportedPrivateKey, SUPPORTED_KEYS, UnsupportedKey } from './key-header.js';
import { opensslThread, type OpensslInput, type OpensslResult } from './openssl.js';
import { certificatesIn, privateKeyIn, type EncodedKey } from './pem.js';

/**
 * Reads certificates and keys that clients and the data plane send, once each. Headers decide first whether OpenSSL may
 * see them (key-header.ts); OpenSSL then parses them in a thread with a time limit (openssl.ts).
 */
export class CertificateReader {
  constructor(
    private readonly openssl: Pick<DeadlineThread<OpensslInput, OpensslResult>, 'run' | 'close'> = opensslThread(),
  ) {}

  /**
   * Reads a certificate in PEM, with the rest of its chain, and checks that the key in PEM (PKCS #8, PKCS #1 or SEC 1)
   * belongs to it.
   * @returns the first certificate
   * @throws CertificateError
   */
  async readPair(certificatePem: string, privateKeyPem: string): Promise<Certificate> {
    const chain = readChain(certificatePem);
    const key = readKey(privateKeyPem);
    return this.accepted(chain, key);
  }

  /**
   * Reads the certificate of an authority from a PEM text that holds exactly one certificate.
   * @throws CertificateError when there is another number of certificates, or the certificate is not an authority's
   */
  async readAuthority(pem: string): Promise<Certificate> {
    const chain = readChain(pem);
    if (chain.length > 1) throw new CertificateError(`must hold exactly one certificate, but holds ${chain.length}`);
    const authority = await this.accepted(chain, null);
    if (authority.isAuthority) return authority;
    throw new CertificateError(
      'is not the certificate of an authority: basic constraints must have CA:TRUE, and key usages, if present, keyCertSign',
    );
  }

  /** Ends the thread of OpenSSL. */
  close(): Promise<void> {
    return this.openssl.close();
  }

  private async accepted(chain: readonly ChainLink[], key: EncodedKey | null): Promise<Certificate> {
    const [leaf] = chain;
    if (!leaf) throw new CertificateError('must be a certificate in PEM');
    const result = await this.check(
      { certificates: chain.map(({ der }) => der), key },
      key ? 'private_key' : 'certificate',
    );
    switch (result.kind) {
      case 'accepted':
        return { ...leaf.content, isAuthority: result.isAuthority };
      case 'certificate_unreadable':
        throw unreadable(result.index, chain.length);
      case 'key_unreadable':
        throw new CertificateError('must be a private key in PEM', 'private_key');
      case 'key_mismatch':
        throw new CertificateError('does not match the certificate', 'private_key');
    }
  }

  private async check(input: OpensslInput, part: CertificatePart): Promise<OpensslResult> {
    try {
      return await this.openssl.run(input);
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error;
      throw new CertificateError('takes too long to check', part, { cause: error });
    }
  }
}

interface ChainLink {
  readonly der: Buffer;
  readonly content: CertificateContent;
}

function readChain(pem: string): readonly ChainLink[] {
  const chain = certificatesIn(pem);
  return chain.map((der, index) => {
    try {
      return { der, content: readCertificate(der) };
    } catch (error) {
      if (error instanceof UnsupportedKey)
        throw new CertificateError(
          `holds a certificate${numberOf(index, chain.length)} with an unsupported key: it must be ${SUPPORTED_KEYS}`,
          'certificate',
          { cause: error },
        );
      if (error instanceof DerError) throw unreadable(index, chain.length, error);
      throw error;
    }
  });
}

function readKey(pem: string): EncodedKey {
  const key = privateKeyIn(pem);
  if (!key) throw new CertificateError('must be a private key in PEM', 'private_key');
  try {
    assertSupportedPrivateKey(key.der, key.form);
    return key;
  } catch (error) {
    if (error instanceof UnsupportedKey)
      throw new CertificateError(`must be ${SUPPORTED_KEYS}`, 'private_key', { cause: error });
    if (error instanceof DerError)
      throw new CertificateError('must be a private key in PEM', 'private_key', { cause: error });
    throw error;
  }
}

function unreadable(index: number, length: number, cause?: unknown): CertificateError {
  return new CertificateError(`holds a certificate${numberOf(index, length)} that cannot be read`, 'certificate', {
    cause,
  });
}

/** The number of a certificate in its chain, in an error; empty for a single one. */
function numberOf(index: number, length: number): string {
  return length === 1 ? '' : ` number ${index + 1}`;
}
