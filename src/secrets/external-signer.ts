import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isSignedBy, noteKey } from '@waybill/verify';

/** Longest wait for a signature, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Most characters of an answer: a signature has 88. */
const LONGEST_ANSWER = 1_024;

const run = promisify(execFile);

/** Signs outside of the process, with a private key that Waybill never has: PROOF_SIGNER. */
export class ExternalSigner {
  /**
   * @param where a URL, or a command as a JSON list. Both get the text, and answer with its signature in base64
   * @param publicKey Ed25519, 32 bytes
   */
  constructor(
    private readonly where: string,
    readonly publicKey: Buffer,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * Returns the signature of a text, verified.
   * @throws Error when there is none in time, or one of another key
   */
  async sign(text: string): Promise<Buffer> {
    const answer = this.where.startsWith('[') ? await this.execute(text) : await this.post(text);
    const signature = Buffer.from(answer.trim(), 'base64');
    if (!isSignedBy(noteKey('signer', this.publicKey), text, signature))
      throw new Error('The answer of PROOF_SIGNER is no signature of the key PROOF_SIGNER_KEY.');
    return signature;
  }

  /** Runs the command without a shell. It gets the text as its standard input. */
  private async execute(text: string): Promise<string> {
    const [file = '', ...args]: readonly string[] = JSON.parse(this.where);
    const running = run(file, args, { timeout: this.timeoutMs, killSignal: 'SIGKILL', maxBuffer: LONGEST_ANSWER });
    // A command that ends without reading is reported by its exit code.
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(text);
    const failure: unknown = await running.then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return (await running).stdout;
    // Its message has the arguments of the command, which may hold secrets.
    const { code, signal, stderr } = Object(failure);
    throw new Error(`PROOF_SIGNER failed with ${signal ?? code}: ${String(stderr).slice(0, 200)}`);
  }

  private async post(text: string): Promise<string> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const response = await fetch(this.where, { method: 'POST', body: text, signal, redirect: 'error' });
    if (!response.ok) throw new Error(`PROOF_SIGNER responds with ${response.status}.`);
    const answer = await response.text();
    if (answer.length > LONGEST_ANSWER) throw new Error('The answer of PROOF_SIGNER is too long.');
    return answer;
  }
}

/** Returns the public key of PROOF_SIGNER_KEY: the last 32 bytes, https://www.rfc-editor.org/rfc/rfc8410#section-4. */
export function signerKey(setting: string): Buffer {
  return Buffer.from(setting, 'base64').subarray(-32);
}
