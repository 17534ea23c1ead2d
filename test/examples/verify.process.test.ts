import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPython, runPython } from '../support/python.js';

const root = path.resolve(import.meta.dirname, '../..');
const isInstalled = await hasPython('cryptography');

it.skipIf(!isInstalled)('examples/verify.py agrees with @waybill/verify on each vector of docs/proof.md', async () => {
  const args = ['examples/verify.py', '--vectors', 'docs/proof-vectors.json'].map((arg) =>
    arg.startsWith('-') ? arg : path.join(root, arg),
  );
  expect(await runPython(args, '')).toMatch(/^(\d+) of \1 vectors agree\.\n$/);
});

describe.skipIf(!isInstalled)('examples/verify.py', () => {
  let folder = '';
  let vkey = '';
  let lines: readonly string[] = [];
  let secondEpoch = '';
  let erased: { readonly lines: readonly string[]; readonly checkpoints: readonly string[]; readonly erasures: string };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-verify-py-'));
    const { exports, exports_with_tiles: vectors } = JSON.parse(
      await readFile(path.join(root, 'docs/proof-vectors.json'), 'utf8'),
    );
    const altered = vectors.find((one: { readonly name: string }) => one.name === 'altered');
    ({ vkey, lines } = altered);
    [, secondEpoch] = exports.find((one: { readonly name: string }) => one.name === 'of two epochs').checkpoints;
    erased = vectors.find((one: { readonly name: string }) => one.name === 'with erased events');
    await mkdir(path.join(folder, 'tile/0/000.p'), { recursive: true });
    await writeFile(path.join(folder, 'checkpoint'), altered.checkpoints[0]);
    for (const [name, hashes] of Object.entries(altered.tiles))
      await writeFile(path.join(folder, name), Buffer.from(String(hashes), 'hex'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Returns what the script prints, and its exit code. */
  async function verified(text: string | Buffer, ...options: readonly string[]) {
    await writeFile(path.join(folder, 'export'), text);
    const args = ['export', '--checkpoint', 'checkpoint', ...options].map((one) =>
      one.startsWith('-') ? one : path.join(folder, one),
    );
    const script = [path.join(root, 'examples/verify.py'), ...args, '--key', vkey];
    return runPython(script, '').then(
      (stdout) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
        code,
        stdout,
        stderr,
      }),
    );
  }

  it('names an altered event with the tiles, and says that they are needed', async () => {
    const named = await verified(lines.join('\n'), '--tiles', '.');
    expect(named).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringContaining('altered 5: not what the log has'),
    });
    expect((await verified(lines.join('\n'))).stdout).toContain(
      'The tiles of the log are needed to name what is altered',
    );
    const wrong = await verified(lines.join('\n'), '--tiles', 'tile');
    expect(wrong).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringContaining('--tiles is the folder that has'),
    });
  });

  it('refuses the tiles of one log with the checkpoints of two', async () => {
    await writeFile(path.join(folder, 'checkpoint-of-epoch'), secondEpoch);
    expect(await verified(lines.join('\n'), '--tiles', '.', '--checkpoint', 'checkpoint-of-epoch')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^It cannot be told: --tiles is for one log: omit it, or .*\n$/),
    });
  });

  it('refuses a tile that has more than the checkpoint says', async () => {
    await mkdir(path.join(folder, 'long/tile/0/000.p'), { recursive: true });
    const [name = ''] = await readdir(path.join(folder, 'tile/0/000.p'));
    const hashes = await readFile(path.join(folder, 'tile/0/000.p', name));
    await writeFile(path.join(folder, 'long/tile/0/000.p', name), Buffer.concat([hashes, hashes]));
    expect(await verified(lines.join('\n'), '--tiles', 'long')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('forked_log'),
    });
  });

  it('refuses a checkpoint with more than a million characters', async () => {
    const note = await readFile(path.join(folder, 'checkpoint'), 'utf8');
    await writeFile(path.join(folder, 'long-checkpoint'), `${note}— name ${'A'.repeat(1_000_000)}\n`);
    expect(await verified('', '--checkpoint', 'long-checkpoint')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^forged_checkpoint\n/),
    });
  });

  it('cannot tell with a file that is cut or corrupt, or has zeros between members of gzip', async () => {
    const bytes = gzipSync(lines.join('\n'));
    const corrupt = Buffer.from(bytes).fill(0xff, 10, 20);
    const hidden = Buffer.concat([bytes, Buffer.alloc(1), bytes]);
    for (const text of [bytes.subarray(0, -9), corrupt, hidden])
      expect(await verified(text)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^It cannot be told: .*\n$/),
      });
  });

  it('ignores the byte order mark of a file', async () => {
    const text = lines.join('\n');
    expect(await verified(`\ufeff${text}`, '--tiles', '.')).toEqual(await verified(text, '--tiles', '.'));
  });

  it('cannot tell without tiles whether events beside erased ones are altered', async () => {
    await writeFile(path.join(folder, 'checkpoint-of-erased'), String(erased.checkpoints[0]));
    await writeFile(path.join(folder, 'erasures'), erased.erasures);
    const given = ['--erasures', 'erasures', '--checkpoint', 'checkpoint-of-erased'];
    expect(await verified(erased.lines.join('\n'), ...given)).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/give --tiles\.\nCANNOT TELL\n$/),
    });
  });

  it('reads CSV and the wrappers of the page, and refuses what it does not read', async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const csv = [
      '"event_id","event_type","event"',
      ...lines.map((one) => ['a', 'b\n"c', one].map(cell).join(',')),
    ].join('\r\n');
    const packed = lines.map((one) => JSON.stringify({ Data: Buffer.from(one).toString('base64') }));
    const wrapped = lines.map((one) => JSON.stringify({ attributes: { message: one } }));
    for (const text of [csv, packed.join('\n'), wrapped.join('\n')])
      expect((await verified(text, '--tiles', '.')).stdout).toMatch(
        /^altered 5: not what the log has\n.*\nNOT VERIFIED\n$/,
      );
    const row = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), TimeGenerated: '2026-11-21T10:00:00Z' });
    expect(await verified(row)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^It cannot be told: A row of a table of Azure/),
    });
    for (const options of [
      ['--checkpoint', 'tile'],
      ['--erasures', 'none'],
    ])
      expect(await verified('', ...options)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^It cannot be told: .*\n$/),
      });
  });
});
