/** Writes the few ASN.1 types that a certificate needs, in DER (ITU-T X.690). */

/** One element: its tag, its length, its content. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value]);
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => element(0x30, ...members);
export const set = (...members: readonly Uint8Array[]): Buffer => element(0x31, ...members);
export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0x00]));
export const octets = (value: Uint8Array): Buffer => element(0x04, value);

/** A context-specific element: `constructed` where it holds elements, primitive where it holds bytes. */
export function tagged(number: number, form: 'constructed' | 'primitive', ...content: readonly Uint8Array[]): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, ...content);
}

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const significant = bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0),
    ),
  );
  const padded = (significant[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), significant]) : significant;
  return element(0x02, padded);
}

/** A bit string; `unused` of the last byte's bits do not count. */
export function bits(value: Uint8Array, unused = 0): Buffer {
  return element(0x03, Buffer.from([unused]), value);
}

/** A moment, to the second: UTCTime before 2050, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export function time(moment: Date): Buffer {
  const digits = moment.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2)))
    : element(0x18, Buffer.from(digits));
}

/** An object identifier from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
