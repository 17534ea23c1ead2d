import { cosignaturesOf, formatNote, parseCosigner, parseNote, type Note, type NoteKey } from '@waybill/verify';
import type { CosignerAddress } from '../config/value-kinds.js';
import type { UncosignedLog } from './cosigning-store.js';

/** Longest wait for a response, in milliseconds. */
const TIMEOUT_MS = 5_000;

/** Most bytes of a response. */
const LONGEST_RESPONSE = 16_384;

/** Shortest and longest rest after a failed call, in milliseconds. */
const [SHORTEST_REST_MS, LONGEST_REST_MS] = [1_000, 300_000];

/** A checkpoint to cosign, as the log has signed it. */
export interface Cosignable extends Omit<UncosignedLog, 'id' | 'destinationId'> {
  /** Returns the hashes which prove that the log begins with all leaves of a smaller one. */
  readonly proofFrom: (smaller: number) => Promise<readonly Uint8Array[]>;
}

/** A cosigner does not sign a checkpoint: it does not know the log, or has signed another history. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** One cosigner, by the protocol of https://c2sp.org/tlog-witness. After a call without a response it rests. */
export class Cosigner {
  private restMs = 0;
  private restsUntil = 0;

  private readonly key: NoteKey;

  constructor(private readonly address: CosignerAddress) {
    this.key = parseCosigner(address.vkey);
  }

  get name(): string {
    return this.key.name;
  }

  /** Whether the last call failed a short time ago. */
  get isResting(): boolean {
    return performance.now() < this.restsUntil;
  }

  /** Returns whether a checkpoint has a cosignature of this cosigner. */
  hasSigned(note: string): boolean {
    return cosignaturesOf(note, [this.key]).length > 0;
  }

  /**
   * Returns the cosignature of a checkpoint, verified.
   * @throws RefusedError when the cosigner does not sign it, another error when it does not respond as it should
   */
  async cosign(checkpoint: Cosignable): Promise<Note['signatures'][number]> {
    const { cosignedNote, cosignedSize } = checkpoint;
    const isKnown = cosignedNote !== null && this.hasSigned(cosignedNote);
    let response = await this.post(checkpoint, isKnown ? cosignedSize : 0);
    // It has another size: that of a checkpoint whose response was lost.
    const size = /^(0|[1-9]\d*)\n$/.exec(response.status === 409 ? response.text : '')?.[1];
    if (size !== undefined && Number(size) <= checkpoint.size) response = await this.post(checkpoint, Number(size));
    const { status, text } = response;
    if (status !== 200)
      throw new RefusedError(
        status,
        `The cosigner responds with ${status}${size ? `, and has cosigned ${size}` : ''}.`,
      );
    const { key } = this;
    const { text: stated } = parseNote(checkpoint.note);
    const { signatures } = parseNote(`${stated}\n${text}`);
    const own = signatures.find(({ name, id }) => name === key.name && id === key.id);
    if (own === undefined || cosignaturesOf(formatNote(stated, [own]), [key]).length === 0)
      throw new Error('The response of the cosigner has no cosignature of its key.');
    return own;
  }

  private async post(checkpoint: Cosignable, old: number) {
    const hashes = (await checkpoint.proofFrom(old)).map((hash) => `${Buffer.from(hash).toString('base64')}\n`);
    const body = `old ${old}\n${hashes.join('')}\n${checkpoint.note}`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const url = `${this.address.url}/add-checkpoint`;
      const response = await fetch(url, { method: 'POST', body, signal, redirect: 'error' });
      const text = await textOf(response);
      if (response.status === 429 || response.status >= 500)
        throw new Error(`The cosigner responds with ${response.status}.`);
      this.restMs = 0;
      return { status: response.status, text };
    } catch (error) {
      this.restMs = Math.min(Math.max(2 * this.restMs, SHORTEST_REST_MS), LONGEST_REST_MS);
      this.restsUntil = performance.now() + this.restMs;
      throw error;
    }
  }
}

/** @throws Error for a longer text */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > LONGEST_RESPONSE) throw new Error('The response of the cosigner is too long.');
  }
  return Buffer.concat(chunks).toString('utf8');
}
