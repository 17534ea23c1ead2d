/**
 * Bytes that are read at the end of an event: its number, what proves it, and fields that a target adds. These have 348
 * at most, of which the name of the log has 100.
 */
const TAIL_BYTES = 480;

const lastMembers = /(?:"epoch":(\d{1,15}),)?"sequence":(\d{1,15})(?!.*"sequence":)/s;

/** The number of an event. */
export interface ReceivedNumber {
  readonly epoch: number;
  readonly sequence: number;
}

/** Returns the last `sequence` of an event with the `epoch` before it, 1 by default. Null without a sequence. */
export function numberOf(body: string, encoding: 'utf8' | 'base64'): ReceivedNumber | null {
  const tail =
    encoding === 'utf8'
      ? body.slice(-TAIL_BYTES)
      : Buffer.from(body.slice(-(TAIL_BYTES / 3) * 4), 'base64').toString('latin1');
  const [, epoch = '1', sequence] = lastMembers.exec(tail) ?? [];
  return sequence === undefined ? null : { epoch: Number(epoch), sequence: Number(sequence) };
}

/** Set of numbers of one address. */
export class SeenNumbers {
  private readonly epochs = new Map<number, SeenSequences>();

  /** Adds a number. Returns true if it was already in the set. */
  record({ epoch, sequence }: ReceivedNumber): boolean {
    const sequences = this.epochs.get(epoch) ?? new SeenSequences();
    this.epochs.set(epoch, sequences);
    return sequences.record(sequence);
  }
}

/** Set of sequences of one epoch, with a bit for each: ten million need 1.25 MB. */
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
