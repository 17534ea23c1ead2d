import { tokenOf } from '../../lifecycle/provide.js';

/** The injection token of `Witness`; null without a witness outside the database. */
export const WITNESS = tokenOf<Witness | null>('Witness');

/** A number of a lane with its epoch. Order is (epoch, sequence). */
export interface NumberMark {
  readonly epoch: number;
  readonly sequence: number;
}

/** What a witness knows. */
export interface Testimony {
  /** The highest epoch; 0 when the witness knows nothing. */
  readonly epoch: number;
  /** The highest recorded number of each lane, by the id of its destination. */
  readonly lanes: ReadonlyMap<string, NumberMark>;
  /**
   * How often marks of deleted lanes were removed, as the database counts it: a database with a lower count is older
   * than the last removal.
   */
  readonly cleanups: number;
}

/**
 * A memory of numbers outside the database: a restore of the database does not take it back. A witness that has
 * forgotten reports less, which is harmless; it never reports a number that was not recorded.
 */
export interface Witness {
  /** @throws when the witness cannot be read: claims stay fenced until it can */
  read(): Promise<Testimony>;
  /** Adds numbers. A mark that is not higher than the known one changes nothing. */
  add(testimony: Testimony): Promise<void>;
  /** Removes the marks of deleted lanes. The number of cleanups must have been added before. */
  forget(destinationIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Returns whether mark `a` is higher than mark `b`. */
export function isHigher(a: NumberMark, b: NumberMark): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence > b.sequence);
}

/** Returns the higher of each of two testimonies. */
export function merge(a: Testimony, b: Testimony): Testimony {
  const lanes = new Map(a.lanes);
  for (const [id, mark] of b.lanes) {
    const known = lanes.get(id);
    if (!known || isHigher(mark, known)) lanes.set(id, mark);
  }
  return { epoch: Math.max(a.epoch, b.epoch), lanes, cleanups: Math.max(a.cleanups, b.cleanups) };
}

/** The testimony of a witness that knows nothing. */
export const nothingKnown: Testimony = { epoch: 0, lanes: new Map(), cleanups: 0 };

/** Several witnesses as one: it knows what any of them knows. */
export function combined(witnesses: readonly Witness[]): Witness {
  return {
    async read() {
      const all = await Promise.all(witnesses.map((witness) => witness.read()));
      return all.reduce(merge, nothingKnown);
    },
    async add(testimony) {
      await Promise.all(witnesses.map((witness) => witness.add(testimony)));
    },
    async forget(destinationIds) {
      await Promise.all(witnesses.map((witness) => witness.forget(destinationIds)));
    },
    async close() {
      await Promise.all(witnesses.map((witness) => witness.close()));
    },
  };
}
