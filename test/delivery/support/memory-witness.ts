import { merge, nothingKnown, type Testimony, type Witness } from '../../../src/delivery/epochs/witness.js';

/** A witness in memory. */
export class MemoryWitness implements Witness {
  known = nothingKnown;
  failure: Error | null = null;

  async read(): Promise<Testimony> {
    if (this.failure) throw this.failure;
    return this.known;
  }

  async add(testimony: Partial<Testimony>): Promise<void> {
    this.known = merge(this.known, { ...nothingKnown, ...testimony });
  }

  async forget(destinationIds: readonly string[]): Promise<void> {
    const lanes = new Map(this.known.lanes);
    for (const id of destinationIds) lanes.delete(id);
    this.known = { ...this.known, lanes };
  }

  async close(): Promise<void> {}
}
