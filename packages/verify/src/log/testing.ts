import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;

/** A key, a message and a signature. */
export interface SignedMessage {
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** A point of order 8. */
const EIGHTH = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

const SECRET = 7n ** 80n % ORDER;
const NONCE = 11n ** 70n % ORDER;
const KEY = Point.BASE.multiply(SECRET);

const hashOf = (r: Uint8Array, publicKey: Uint8Array, message: Uint8Array) =>
  Point.Fn.create(bytesToNumberLE(sha512(Buffer.concat([r, publicKey, message]))));

/** Bytes of S, also of one that is not less than the order. */
const bytesOf = (s: bigint) => numberToBytesLE(s, 32);

/** How a signature differs from what RFC 8032 makes. */
interface Difference {
  readonly publicKey?: Uint8Array;
  readonly secret?: bigint;
  readonly nonce?: bigint;
  readonly r?: Uint8Array;
  /** Of the hash of the signature: the message is one with such a hash. */
  readonly where?: (hash: bigint) => boolean;
}

function signed(name: string, difference: Difference = {}): SignedMessage {
  const { publicKey = KEY.toBytes(), secret = SECRET, nonce = NONCE, where = () => true } = difference;
  const { r = (nonce === 0n ? Point.ZERO : Point.BASE.multiply(nonce)).toBytes() } = difference;
  for (let at = 0; ; at += 1) {
    const message = Buffer.from(`message ${at}`);
    const hash = hashOf(r, publicKey, message);
    if (!where(hash)) continue;
    const s = bytesOf((nonce + hash * secret) % ORDER);
    return { name, publicKey, message, signature: Buffer.concat([r, s]) };
  }
}

/** Bytes of a point whose y is written with the prime added. */
const beyond = (y: number) => Uint8Array.of(0xed + y, ...Array.from({ length: 30 }, () => 0xff), 0x7f);

/** Signatures on which checks of Ed25519 differ, and some on which all agree. */
export function signatures(): readonly SignedMessage[] {
  const plain = signed('signed');
  const of = (name: string, signature: Uint8Array) => ({ ...plain, name, signature });
  const [r, s] = [plain.signature.subarray(0, 32), plain.signature.subarray(32)];
  const small = { secret: 0n, nonce: 0n };
  const mixedKey = KEY.add(EIGHTH).toBytes();
  return [
    plain,
    { ...plain, name: 'of another message', message: Buffer.from('another message') },
    of('with 63 bytes', plain.signature.subarray(0, -1)),
    of('with 65 bytes', Buffer.concat([plain.signature, Uint8Array.of(0)])),
    of('with the order added to S', Buffer.concat([r, bytesOf(bytesToNumberLE(s) + ORDER)])),
    of('with the highest bit of S', Buffer.concat([r, s.subarray(0, 31), Uint8Array.of(0xff)])),
    signed('with a nonce of 0', { nonce: 0n }),
    signed('with R written in another way', { nonce: 0n, r: beyond(1) }),
    signed('with a point of small order added to R', { r: Point.BASE.multiply(NONCE).add(EIGHTH).toBytes() }),
    signed('of a key with a point of small order added, which the hash removes', {
      publicKey: mixedKey,
      where: (hash) => hash % 8n === 0n,
    }),
    signed('of a key with a point of small order added', { publicKey: mixedKey, where: (hash) => hash % 8n !== 0n }),
    ...[0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map((times) => {
      const point = times === 0n ? Point.ZERO : EIGHTH.multiplyUnsafe(times);
      const where = (hash: bigint) => (hash * times) % 8n === 0n;
      return signed(`of a key of small order (${times} of 8)`, { ...small, publicKey: point.toBytes(), where });
    }),
    signed('of the neutral key, written in another way', { ...small, publicKey: beyond(1) }),
    signed('of the neutral key with a sign', { ...small, publicKey: Point.ZERO.toBytes().fill(0x80, 31) }),
    signed('of a key of small order, written in another way', {
      ...small,
      publicKey: beyond(0),
      where: (hash) => hash % 4n === 0n,
    }),
    signed('of a key that is no point', { publicKey: Uint8Array.of(2, ...new Uint8Array(31)) }),
  ];
}
