import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, createServerIdentity, type Identity } from './certificate.js';

const AUTHORITY_NAME = 'Waybill sandbox authority';
const AUTHORITY_DAYS = 365;
const SERVER_DAYS = 30;
/** An older authority with less time left is replaced. */
const LEAST_LEFT_MS = 60 * 24 * 60 * 60 * 1000;

/** Certificate authority of the sandbox, and the server certificate that it signed. */
export interface SandboxAuthority {
  /** PEM file of the authority's certificate. */
  readonly caFile: string;
  /** The certificate as text. */
  readonly ca: string;
  readonly server: Identity;
  /** Removes the files of a temporary folder. */
  dispose(): Promise<void>;
}

/**
 * Creates the authority, or reuses the one in `given` (`ca.pem` and `ca-key.pem`), so that clients can keep their
 * trust.
 * @param given default: a temporary folder
 */
export async function openAuthority(hosts: readonly string[], given?: string): Promise<SandboxAuthority> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'waybill-sandbox-')));
  const caFile = join(folder, 'ca.pem');
  const keyFile = join(folder, 'ca-key.pem');
  await mkdir(folder, { recursive: true });
  let authority = await readAuthority(caFile, keyFile);
  if (authority === undefined) {
    authority = await createAuthority(AUTHORITY_NAME, AUTHORITY_DAYS);
    await writeFile(keyFile, authority.key, { mode: 0o600 });
    await writeFile(caFile, authority.certificate);
  }
  return {
    caFile,
    ca: authority.certificate,
    server: await createServerIdentity(authority, hosts, SERVER_DAYS),
    dispose: async () => {
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readAuthority(caFile: string, keyFile: string): Promise<Identity | undefined> {
  try {
    const [certificate, key] = await Promise.all([readFile(caFile, 'utf8'), readFile(keyFile, 'utf8')]);
    const left = Date.parse(new X509Certificate(certificate).validTo) - Date.now();
    return left > LEAST_LEFT_MS ? { certificate, key } : undefined;
  } catch {
    return undefined;
  }
}
