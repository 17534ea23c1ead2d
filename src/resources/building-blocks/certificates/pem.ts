import { boundedBytes } from '../../../bounds/bounded.js';
import { MAX_PEM_BYTES } from '../../../certificates/reading/pem.js';

/** A field of PEM text. The behaviour of its family reads the text, in a thread (src/certificates). */
export function pemField(description: string) {
  return boundedBytes(MAX_PEM_BYTES).meta({ description: `${description} At most ${MAX_PEM_BYTES} bytes.` });
}
