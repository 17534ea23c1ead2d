import { describe, expect, it } from 'vitest';
import { cellsOf, moved, newestOf, sizeOf, windowOf, windowText, zoomedIn, zoomedOut } from './number-window.js';

describe('the window of the ribbon', () => {
  it('shows the newest thousand numbers at first', () => {
    expect(newestOf(40)).toEqual({ from: 1, to: 40 });
    expect(newestOf(12_345)).toEqual({ from: 11_346, to: 12_345 });
  });

  it('is read from the address, and written to it', () => {
    expect(windowOf('101-200', 500)).toEqual({ from: 101, to: 200 });
    expect(windowText(windowOf('101-200', 500))).toBe('101-200');
  });

  it.each(['0-4', '9-3', 'x', '600-700', '-', undefined])('is the newest one for the text %s', (text) => {
    expect(windowOf(text, 500)).toEqual({ from: 1, to: 500 });
  });

  it('ends with the last number', () => {
    expect(windowOf('401-900', 500)).toEqual({ from: 401, to: 500 });
  });

  it('gets down to any number in a few steps, and out to all numbers again', () => {
    for (const last of [1, 7, 1_000, 1_000_000]) {
      for (const number of [1, Math.ceil(last / 3), last]) {
        let window = { from: 1, to: last };
        for (let step = 0; step < 10; step += 1) {
          window = zoomedIn(window, number, last);
          expect(window.from <= number && number <= window.to).toBe(true);
        }
        expect(window).toEqual({ from: number, to: number });
        for (let step = 0; step < 10; step += 1) window = zoomedOut(window, number, last);
        expect(window).toEqual({ from: 1, to: last });
      }
    }
  });

  it('moves by its size, and not beyond the ends', () => {
    expect(moved({ from: 101, to: 200 }, 1, 1_000)).toEqual({ from: 201, to: 300 });
    expect(moved({ from: 101, to: 200 }, -1, 1_000)).toEqual({ from: 1, to: 100 });
    expect(moved({ from: 51, to: 150 }, -1, 1_000)).toEqual({ from: 1, to: 100 });
    expect(moved({ from: 901, to: 1_000 }, 1, 1_000)).toEqual({ from: 901, to: 1_000 });
  });

  it('has at most a hundred cells, which cover every number once', () => {
    for (const window of [
      { from: 5, to: 5 },
      { from: 1, to: 100 },
      { from: 7, to: 1_006 },
      { from: 1, to: 123_456 },
    ]) {
      const cells = cellsOf(window);
      expect(cells.length).toBeLessThanOrEqual(100);
      expect(cells.reduce((sum, cell) => sum + sizeOf(cell), 0)).toBe(sizeOf(window));
      expect(cells.slice(1).every((cell, index) => cell.from === (cells[index]?.to ?? 0) + 1)).toBe(true);
    }
  });
});
