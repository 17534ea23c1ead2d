import { expect, it } from 'vitest';
import { HeldVersions, type HeldEvent } from './held-event.js';

/** Counts how often a digest is read: every comparison of contents reads two. */
class CountedReads {
  reads = 0;

  held(line: number, digest: string): HeldEvent {
    const read = (): string => {
      this.reads += 1;
      return digest;
    };
    return {
      eventId: 'evt_1',
      ownForm: null,
      form: 'delivered',
      file: 'a.ndjson',
      line,
      get digest() {
        return read();
      },
    };
  }
}

it.each([
  ['all the same', 1],
  ['each another one', 1_000],
  ['in turn', 7],
])('finds the contents of 1,000 copies of an event, %s, with one read of each', (_, contents) => {
  const counted = new CountedReads();
  const copies = Array.from({ length: 1_000 }, (__, index) => counted.held(index + 1, `content ${index % contents}`));
  const [first, ...repeats] = copies;
  if (!first) throw new Error('There is no copy.');
  const versions = new HeldVersions(first);
  for (const repeat of repeats) versions.add(repeat);
  expect(counted.reads).toBe(1_000);
  expect(versions.toArray().map(({ line }) => line)).toEqual(Array.from({ length: contents }, (__, at) => at + 1));
});
