import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLoopback, type LoopbackResponse, type LoopbackServer } from '../../test/support/loopback-server.js';
import { ExternalSigner, signerKey } from './external-signer.js';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = signerKey(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'));
const TEXT = 'waybill.example.com/ed_1/1\n1\nroot\n';
const signed = (text: string | Buffer) => sign(null, Buffer.from(text), privateKey).toString('base64');

let server: LoopbackServer;
let url: string;
let answer: (text: string) => LoopbackResponse = (text) => ({ status: 200, body: `${signed(text)}\n` });
beforeAll(async () => {
  server = await startLoopback(({ body }) => answer(body));
  url = `${server.url}/sign`;
});
afterAll(() => server.close());

const command = (script: string) => JSON.stringify([process.execPath, '-e', script, 'a $HOME "b"']);

it('returns the signature of an address or a command, which get the text', async () => {
  const signature = Buffer.from(signed(TEXT), 'base64');
  expect(await new ExternalSigner(url, key).sign(TEXT)).toEqual(signature);
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  // No shell reads the arguments.
  const script = `if (process.argv[1] !== 'a $HOME "b"') process.exit(1);
    process.stdin.on('data', (text) => console.log(require('crypto').sign(null, text, \`${String(pem)}\`).toString('base64')))`;
  expect(await new ExternalSigner(command(script), key).sign(TEXT)).toEqual(signature);
});

it.each<[string, () => LoopbackResponse, string]>([
  ['of another text', () => ({ status: 200, body: signed('another') }), 'is no signature'],
  ['that is none', () => ({ status: 200, body: 'no base64' }), 'is no signature'],
  ['that is an error', () => ({ status: 500, body: signed(TEXT) }), 'responds with 500'],
  ['that leads elsewhere', () => ({ status: 302, headers: { location: url } }), 'fetch failed'],
  ['that is too long', () => ({ status: 200, body: 'A'.repeat(2_000) }), 'too long'],
  ['that never comes', () => 'never', 'timeout'],
])('refuses an answer %s', async (_, given, reason) => {
  answer = given;
  await expect(new ExternalSigner(url, key, 500).sign(TEXT)).rejects.toThrow(reason);
});

it.each([
  ['fails', `console.error('no access'); process.exit(3)`, 'failed with 3: no access'],
  ['never ends', 'setInterval(() => {}, 1000)', 'failed with SIGKILL'],
  ['prints too much', `console.log('A'.repeat(5000))`, 'failed with ERR_CHILD_PROCESS_STDIO_MAXBUFFER'],
  ['prints another signature', `console.log(Buffer.alloc(64).toString('base64'))`, 'is no signature'],
])('refuses a command that %s', async (_, script, reason) => {
  await expect(new ExternalSigner(command(script), key, 2_000).sign(TEXT)).rejects.toThrow(reason);
});

it('refuses a command that does not exist', async () => {
  await expect(new ExternalSigner('["/nowhere/sign"]', key).sign(TEXT)).rejects.toThrow('ENOENT');
});
