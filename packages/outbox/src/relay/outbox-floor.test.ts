import { describe, expect, it } from 'vitest';
import { OutboxFloor } from './outbox-floor.js';

const look = (xmin: number, xmax: number, lowest: number | null, highest: number | null) => ({
  xmin: BigInt(xmin),
  xmax: BigInt(xmax),
  lowest: lowest === null ? null : BigInt(lowest),
  highest: highest === null ? null : BigInt(highest),
});

describe('the floor', () => {
  it('begins at the first position', () => {
    expect(new OutboxFloor().position).toBe(0n);
  });

  it('follows the positions of a look when every transaction of that look has ended', () => {
    const floor = new OutboxFloor();
    floor.saw(look(10, 15, 1, 500));
    expect(floor.position).toBe(0n);
    // Transaction 14 still runs: it may have the position 3.
    floor.saw(look(14, 20, 501, 1_000));
    expect(floor.position).toBe(0n);
    floor.saw(look(15, 20, 501, 1_000));
    expect(floor.position).toBe(501n);
  });

  it('stays below a row that waits', () => {
    const floor = new OutboxFloor();
    floor.saw(look(10, 15, 1, 500));
    floor.saw(look(15, 20, 7, 500));
    expect(floor.position).toBe(7n);
  });

  it('stays below positions that were not seen by an ended look', () => {
    const floor = new OutboxFloor();
    floor.saw(look(10, 15, 1, 500));
    floor.saw(look(15, 20, 900, 1_000));
    expect(floor.position).toBe(501n);
    floor.saw(look(19, 25, null, null));
    expect(floor.position).toBe(501n);
    floor.saw(look(20, 25, null, null));
    expect(floor.position).toBe(1_001n);
  });

  it('begins again after a rewind', () => {
    const floor = new OutboxFloor();
    floor.saw(look(10, 15, 1, 500));
    floor.saw(look(15, 20, null, null));
    floor.rewind();
    expect(floor.position).toBe(0n);
    floor.saw(look(20, 25, 3, 3));
    floor.saw(look(25, 30, 3, 3));
    expect(floor.position).toBe(3n);
  });
});
