/** The largest response that is read. The largest page of the API is a fifth of it. */
export const MOST_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Returns the body as text, or null if it has more than `MOST_RESPONSE_BYTES`. The rest is not read then. */
export async function readBody(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > MOST_RESPONSE_BYTES) {
      await reader.cancel();
      return null;
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  return `${parts.join('')}${decoder.decode()}`;
}
