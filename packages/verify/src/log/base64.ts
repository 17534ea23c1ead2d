/** Returns bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Returns the bytes of a text in base64; null if it is not written as RFC 4648 has it: each value has one text. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : null;
  } catch {
    return null;
  }
}
