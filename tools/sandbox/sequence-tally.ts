/** Bytes that the end of an event is looked at first: `,"sequence":` and its digits, and whatever little a target adds. */
const TAIL_BYTES = 96;

const lastMember = /"sequence":(\d{1,15})(?!.*"sequence":)/s;

/** The `sequence` that an event was delivered with, or null where it has none. A text that has several counts by the last. */
export function sequenceOf(body: string, encoding: 'utf8' | 'base64'): number | null {
  const tail =
    encoding === 'utf8'
      ? body.slice(-TAIL_BYTES)
      : Buffer.from(body.slice(-(TAIL_BYTES / 3) * 4), 'base64').toString('latin1');
  const digits = lastMember.exec(tail)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Which sequences of one address have arrived, in a bit each: ten million take a megabyte and a quarter. */
export class SequenceTally {
  private seen = new Uint8Array(1_024);

  /** Notes an arrival. Says whether the same sequence had arrived before. */
  repeats(sequence: number): boolean {
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
