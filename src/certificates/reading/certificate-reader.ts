import type { Problem } from '../../problems/problem.js';
import { ThreadTimeout, type DeadlineThread } from '../../timing/deadline-thread.js';
import { readCertificate, type Certificate, type CertificateContent } from './certificate.js';
import { DerError } from './der.js';
import { assertSupportedPrivateKey, SUPPORTED_KEYS, UnsupportedKey } from './key-header.js';
import { opensslThread, type OpensslInput, type OpensslResult } from './openssl.js';
import { certificatesIn, privateKeyIn, unfit, type EncodedKey, type PemField } from './pem.js';

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
   * @throws Problem `invalid_input` (pointers `/certificate_pem` and `/private_key_pem`)
   */
  async readPair(certificatePem: string, privateKeyPem: string): Promise<Certificate> {
    const chain = readChain(certificatePem);
    const key = readKey(privateKeyPem);
    return this.accepted(chain, key);
  }

  /**
   * Reads the certificate of an authority from a PEM text that holds exactly one certificate.
   * @throws Problem `invalid_input` (pointer `/certificate_pem`), also when there is another number of certificates, or
   * the certificate is not an authority's
   */
  async readAuthority(pem: string): Promise<Certificate> {
    const chain = readChain(pem);
    if (chain.length > 1) throw unfit(`must hold exactly one certificate, but holds ${chain.length}`);
    const authority = await this.accepted(chain, null);
    if (authority.isAuthority) return authority;
    throw unfit(
      'is not the certificate of an authority: basic constraints must have CA:TRUE, and key usages, if present, keyCertSign',
    );
  }

  /** Ends the thread of OpenSSL. */
  close(): Promise<void> {
    return this.openssl.close();
  }

  private async accepted(chain: readonly ChainLink[], key: EncodedKey | null): Promise<Certificate> {
    const [leaf] = chain;
    if (!leaf) throw unfit('must be a certificate in PEM');
    const result = await this.check(
      { certificates: chain.map(({ der }) => der), key },
      key ? 'private_key_pem' : 'certificate_pem',
    );
    switch (result.kind) {
      case 'accepted':
        return { ...leaf.content, isAuthority: result.isAuthority };
      case 'certificate_unreadable':
        throw unreadable(result.index, chain.length);
      case 'key_unreadable':
        throw unfit('must be a private key in PEM', 'private_key_pem');
      case 'key_mismatch':
        throw unfit('does not match the certificate', 'private_key_pem');
    }
  }

  private async check(input: OpensslInput, field: PemField): Promise<OpensslResult> {
    try {
      return await this.openssl.run(input);
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error;
      throw unfit('takes too long to check', field);
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
        throw unfit(
          `holds a certificate${numberOf(index, chain.length)} with an unsupported key: it must be ${SUPPORTED_KEYS}`,
        );
      if (error instanceof DerError) throw unreadable(index, chain.length);
      throw error;
    }
  });
}

function readKey(pem: string): EncodedKey {
  const key = privateKeyIn(pem);
  if (!key) throw unfit('must be a private key in PEM', 'private_key_pem');
  try {
    assertSupportedPrivateKey(key.der, key.form);
    return key;
  } catch (error) {
    if (error instanceof UnsupportedKey) throw unfit(`must be ${SUPPORTED_KEYS}`, 'private_key_pem');
    if (error instanceof DerError) throw unfit('must be a private key in PEM', 'private_key_pem');
    throw error;
  }
}

function unreadable(index: number, length: number): Problem {
  return unfit(`holds a certificate${numberOf(index, length)} that cannot be read`);
}

/** The number of a certificate in its chain, in an error; empty for a single one. */
function numberOf(index: number, length: number): string {
  return length === 1 ? '' : ` number ${index + 1}`;
}
