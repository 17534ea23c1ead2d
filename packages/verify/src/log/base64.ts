/** Returns the bytes of a text in base64; null if it is not written as RFC 4648 has it: each value has one text. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
