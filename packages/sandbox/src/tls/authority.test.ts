import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAuthority } from './authority.js';

describe('openAuthority', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-authority-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('signs a server certificate for the hosts it is given', async () => {
    const authority = await openAuthority(['localhost', 'sandbox', '127.0.0.1', '::1'], folder);
    const ca = new X509Certificate(authority.ca);
    const server = new X509Certificate(authority.server.certificate);
    expect(ca.ca).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkHost('sandbox')).toBe('sandbox');
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(server.checkIP('::1')).toBe('::1');
    expect(server.checkHost('example.com')).toBeUndefined();
  });

  it('keeps its key from other users and takes the same authority up again', async () => {
    const first = await openAuthority(['localhost'], folder);
    const second = await openAuthority(['localhost'], folder);
    expect(second.ca).toBe(first.ca);
    expect(new X509Certificate(second.server.certificate).verify(new X509Certificate(first.ca).publicKey)).toBe(true);
    expect((await stat(join(folder, 'ca-key.pem'))).mode & 0o077).toBe(0);
  });

  it('replaces an authority that cannot be read', async () => {
    await writeFile(join(folder, 'ca.pem'), 'nonsense');
    const authority = await openAuthority(['localhost'], folder);
    expect(await readFile(join(folder, 'ca.pem'), 'utf8')).toBe(authority.ca);
    expect(new X509Certificate(authority.ca).ca).toBe(true);
  });

  it('removes its temporary folder when it was given none', async () => {
    const authority = await openAuthority(['localhost']);
    await authority.dispose();
    await expect(stat(authority.caFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
