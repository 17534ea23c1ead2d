/** Length of the end of an event that holds `"sequence":`, its digits, and fields that a target adds. */
const TAIL_BYTES = 96;

const lastMember = /"sequence":(\d{1,15})(?!.*"sequence":)/s;

/** Returns the last `sequence` of an event, or null without one. */
export function sequenceOf(body: string, encoding: 'utf8' | 'base64'): number | null {
  const tail =
    encoding === 'utf8'
      ? body.slice(-TAIL_BYTES)
      : Buffer.from(body.slice(-(TAIL_BYTES / 3) * 4), 'base64').toString('latin1');
  const digits = lastMember.exec(tail)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Set of sequences of one address, with a bit for each: ten million need 1.25 MB. */
export class SeenSequences {
  private seen = new Uint8Array(1_024);

  /** Adds a sequence. Returns true if it was already in the set. */
  record(sequence: number): boolean {
    const index = Math.floor(sequence / 8);
    if (index >= this.seen.length) this.grow(index + 1);
    const bit = 1 << (sequence % 8);
    const byte = this.seen[index] ?? 0;
    this.seen[index] = byte | bit;
    return (byte & bit) !== 0;
  }

  private grow(bytes: number): void {
    const larger = new Uint8Array(Math.max(bytes, this.seen.length * 2));
    larger.set(this.seen);
    this.seen = larger;
  }
}
