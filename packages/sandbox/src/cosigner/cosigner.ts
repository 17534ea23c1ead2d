import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { ErrorResponses, HttpResponse, Protocol } from '../protocol.js';
import { isConsistent } from './consistency.js';

const PATH = '/cosigner/add-checkpoint';
const NAME = 'cosigner.sandbox';

/** PKCS #8 of an Ed25519 key, up to its seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SPKI of an Ed25519 key, up to the key. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** The state of a log that was cosigned last. */
interface Cosigned {
  readonly size: number;
  readonly root: Buffer;
}

/**
 * A cosigner (https://c2sp.org/tlog-witness) of the logs whose keys it was given. It forgets what it has cosigned when
 * it ends, and its key is the same everywhere: it is for trials. Its code is its own: code of the logs would hide their
 * mistakes.
 */
export class Cosigner {
  /** Public keys by the name of the log, or of the installation whose logs begin with it. */
  private readonly keys = new Map<string, Buffer>();
  private readonly logs = new Map<string, Cosigned>();
  private readonly privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8, hash(NAME)]),
    format: 'der',
    type: 'pkcs8',
  });
  private readonly publicKey = createPublicKey(this.privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);

  /** Verifier key. */
  get vkey(): string {
    const typed = Buffer.concat([Buffer.of(4), this.publicKey]);
    return `${NAME}+${keyId(NAME, typed).toString('hex')}+${typed.toString('base64')}`;
  }

  /** Cosigns the logs with these verifier keys, one a line, from now on. @throws Error for what is no verifier key */
  trust(vkeys: string): void {
    for (const vkey of vkeys.trim().split('\n')) {
      const [, name = '', encoded = ''] = /^([^+\s]+)\+[0-9a-f]{8}\+(\S+)$/.exec(vkey) ?? [];
      const typed = Buffer.from(encoded, 'base64');
      if (typed.length !== 33 || typed[0] !== 1) throw new Error(`This is no verifier key of Ed25519: ${vkey}`);
      this.keys.set(name, typed.subarray(1));
    }
  }

  /** Returns the size that was cosigned last, by the origin of the log. */
  sizes(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.logs, ([origin, { size }]) => [origin, size]));
  }

  /** Checks a checkpoint as the protocol says, and returns the cosignature. */
  add(body: string): HttpResponse {
    const parsed = parseRequest(body);
    if (parsed === null) return text(400, 'The request is not of c2sp.org/tlog-witness.');
    const { oldSize, proof, note, signatures, origin, size, root } = parsed;
    const key = this.keyOf(origin);
    if (key === undefined) return text(404, 'The log is not known here.');
    if (!signatures.some((line) => isSigned(line, origin, key, note))) return text(403, 'The log has not signed this.');
    if (oldSize > size) return text(400, 'The old size is larger than the checkpoint.');
    const known = this.logs.get(origin) ?? { size: 0, root: hash('') };
    const conflict = { status: 409, headers: { 'content-type': 'text/x.tlog.size' }, body: `${known.size}\n` };
    if (oldSize !== known.size || (size === known.size && !root.equals(known.root))) return conflict;
    if (!isConsistent(known, { size, root }, proof)) return text(422, 'The checkpoint does not extend the last one.');
    this.logs.set(origin, { size, root });
    return text(200, this.cosign(note));
  }

  private keyOf(origin: string): Buffer | undefined {
    const names = [...this.keys.keys()].filter((name) => origin === name || origin.startsWith(`${name}/`));
    return this.keys.get(names.toSorted((a, b) => b.length - a.length)[0] ?? '');
  }

  private cosign(note: string): string {
    const time = Math.floor(Date.now() / 1_000);
    const seconds = Buffer.alloc(8);
    seconds.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${note}`), this.privateKey);
    const id = keyId(NAME, Buffer.concat([Buffer.of(4), this.publicKey]));
    return `— ${NAME} ${Buffer.concat([id, seconds, signature]).toString('base64')}\n`;
  }
}

const fault = (status: number) => () => text(status, 'A fault.');

const errors: ErrorResponses = {
  throttle: fault(500),
  deny: fault(403),
  not_found: fault(404),
  too_large: fault(500),
  malformed: fault(500),
  expired: fault(500),
  failure: fault(500),
};

/** The protocol of a cosigner. Its address in faults is empty. */
export function cosignerProtocol(cosigner: Cosigner): Protocol {
  return (request) => {
    if (request.path !== PATH || request.method !== 'POST') return undefined;
    return {
      service: 'cosigner',
      operation: 'AddCheckpoint',
      address: '',
      partial: false,
      perform: () => cosigner.add(request.body.toString('utf8')),
      errors,
    };
  };
}

function parseRequest(body: string) {
  const match =
    /^old (0|[1-9]\d*)\n((?:\S+\n){0,63})\n([^\n]+\n(0|[1-9]\d*)\n(\S+)\n(?:[^\n]+\n)*)\n((?:— \S+ \S+\n)+)$/.exec(
      body,
    );
  if (match === null) return null;
  const [, old = '', hashes = '', note = '', size = '', root = '', lines = ''] = match;
  return {
    oldSize: Number(old),
    proof: hashes
      .split('\n')
      .filter(Boolean)
      .map((line) => Buffer.from(line, 'base64')),
    note,
    origin: note.slice(0, note.indexOf('\n')),
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    signatures: lines.split('\n').filter(Boolean),
  };
}

function isSigned(line: string, origin: string, publicKey: Buffer, note: string): boolean {
  const [, name, encoded = ''] = line.split(' ');
  const bytes = Buffer.from(encoded, 'base64');
  if (name !== origin || !bytes.subarray(0, 4).equals(keyId(origin, Buffer.concat([Buffer.of(1), publicKey]))))
    return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(note), key, bytes.subarray(4));
}

function keyId(name: string, typedKey: Buffer): Buffer {
  return hash(Buffer.concat([Buffer.from(`${name}\n`), typedKey])).subarray(0, 4);
}

function hash(data: Buffer | string): Buffer {
  return createHash('sha256').update(data).digest();
}

function text(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}
