/** Thrown for bytes that are not DER, or not of the expected type. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** Tags of X.690, with the bit for constructed types. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element of DER. */
export interface DerElement {
  readonly tag: number;
  /** The bytes after tag and length. */
  readonly content: Buffer;
}

/** The highest tag number means that the tag has more bytes. No tag of a certificate or key has. */
const LONG_TAG = 0x1f;
/** Most bytes of a length: four bytes count 4 GiB. */
const MAX_LENGTH_BYTES = 4;

/**
 * Reads the elements of DER, one after another, without descending into them: the time is proportional to the bytes.
 * https://www.itu.int/rec/T-REC-X.690
 * @throws DerError
 */
export function derElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const { element, end } = elementAt(bytes, at);
    elements.push(element);
    at = end;
  }
  return elements;
}

/** Reads the one element that the bytes consist of. @throws DerError for none, several, or another tag */
export function derElement(bytes: Buffer, tag: number): Buffer {
  if (bytes.length === 0) throw new DerError('There is no element.');
  const { element, end } = elementAt(bytes, 0);
  if (end !== bytes.length) throw new DerError('Bytes follow the element.');
  return contentOf(element, tag);
}

/** Returns the content of an element. @throws DerError when it is absent or has another tag */
export function contentOf(element: DerElement | undefined, tag: number): Buffer {
  if (element?.tag === tag) return element.content;
  throw new DerError(`There is no element with the tag ${tag}.`);
}

function elementAt(bytes: Buffer, at: number): { readonly element: DerElement; readonly end: number } {
  const tag = byteAt(bytes, at);
  if ((tag & LONG_TAG) === LONG_TAG) throw new DerError('A tag has several bytes.');
  const first = byteAt(bytes, at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthBytes > MAX_LENGTH_BYTES) throw new DerError('A length is invalid.');
  const start = at + 2 + lengthBytes;
  if (start > bytes.length) throw new DerError('An element is truncated.');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
  const end = start + length;
  if (end > bytes.length) throw new DerError('An element is truncated.');
  return { element: { tag, content: bytes.subarray(start, end) }, end };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new DerError('An element is truncated.');
  return byte;
}

/** Returns the content of a BIT STRING of whole bytes. @throws DerError */
export function wholeBytes(bitString: Buffer): Buffer {
  if (bitString[0] !== 0) throw new DerError('A bit string does not have whole bytes.');
  return bitString.subarray(1);
}

/** Returns an unsigned INTEGER without leading zeros; empty for 0. @throws DerError for a negative one */
export function unsigned(integer: Buffer): Buffer {
  if (integer.length === 0 || byteAt(integer, 0) >= 0x80) throw new DerError('An integer is negative or empty.');
  const first = integer.findIndex((byte) => byte !== 0);
  return first === -1 ? integer.subarray(integer.length) : integer.subarray(first);
}

/** Most bytes of an object identifier; those in use have up to 20. */
const MAX_OBJECT_ID_BYTES = 64;

/** Returns an object identifier in its dotted form, such as `1.2.840.113549`. @throws DerError */
export function objectId(content: Buffer): string {
  if (content.length === 0 || content.length > MAX_OBJECT_ID_BYTES) throw new DerError('An object id is invalid.');
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  if (byteAt(content, content.length - 1) >= 0x80) throw new DerError('An object id is truncated.');
  const [first = 0n, ...rest] = arcs;
  // The first two arcs share a number: https://www.itu.int/rec/T-REC-X.690, section 8.19.4.
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...rest].join('.');
}

/** UTCTime and GeneralizedTime as RFC 5280, section 4.1.2.5, allows them. */
const utcTime = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;
const generalizedTime = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/;

/** Reads a time of a certificate. @throws DerError for another form, or a time that does not exist */
export function timeOf({ tag, content }: DerElement): Date {
  const isUtc = tag === derTag.utcTime;
  if (!isUtc && tag !== derTag.generalizedTime) throw new DerError('A time has another type.');
  const text = content.toString('latin1');
  const [, year = '', ...rest] = (isUtc ? utcTime : generalizedTime).exec(text) ?? [];
  const century = isUtc ? (year < '50' ? '20' : '19') : '';
  const [month, day, hour, minute, second] = rest;
  const iso = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime()) || time.toISOString() !== iso) throw new DerError('A time cannot be read.');
  return time;
}

/** Returns the text of a string type. @throws DerError for another type, or bytes that are not text */
export function textOf({ tag, content }: DerElement): string {
  switch (tag) {
    case derTag.utf8String:
      return utf8(content);
    case derTag.bmpString:
      if (content.length % 2 !== 0) throw new DerError('A BMPString is truncated.');
      return Buffer.from(content).swap16().toString('utf16le');
    case derTag.universalString:
      return universalText(content);
    case derTag.numericString:
    case derTag.printableString:
    case derTag.teletexString:
    case derTag.ia5String:
    case derTag.visibleString:
      return content.toString('latin1');
    default:
      throw new DerError(`The tag ${tag} is not of text.`);
  }
}

function utf8(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw new DerError('A UTF8String is not UTF-8.', { cause: error });
  }
}

/** The largest code point of Unicode. */
const LAST_CODE_POINT = 0x10_ff_ff;

function universalText(content: Buffer): string {
  if (content.length % 4 !== 0) throw new DerError('A UniversalString is truncated.');
  const characters: string[] = [];
  for (let at = 0; at < content.length; at += 4) {
    const point = content.readUInt32BE(at);
    if (point > LAST_CODE_POINT) throw new DerError('A UniversalString is not Unicode.');
    characters.push(String.fromCodePoint(point));
  }
  return characters.join('');
}
