/** A range of sequence numbers, with both ends. */
export interface NumberWindow {
  readonly from: number;
  readonly to: number;
}

/** Most numbers of a window whose deliveries are read one by one: ten pages of the API. */
export const MOST_READ = 1_000;

/** Most cells of the ribbon. */
const MOST_CELLS = 100;

/** By how much a step of the zoom changes the window. */
const ZOOM = 5;

/** Returns how many numbers a window has. */
export function sizeOf({ from, to }: NumberWindow): number {
  return to - from + 1;
}

/** Whether every delivery of a window is read, so that a missing number is found. */
export function isExact(window: NumberWindow): boolean {
  return sizeOf(window) <= MOST_READ;
}

/** Returns the newest numbers that can be read one by one. @param last the highest number; at least 1 */
export function newestOf(last: number): NumberWindow {
  return { from: Math.max(1, last - MOST_READ + 1), to: last };
}

/** Returns a window of this size, around a number, within 1 and `last`. */
function around(number: number, size: number, last: number): NumberWindow {
  const length = Math.max(1, Math.min(Math.round(size), last));
  const from = Math.max(1, Math.min(number - Math.floor((length - 1) / 2), last - length + 1));
  return { from, to: from + length - 1 };
}

/** Returns the number in the middle of a window. */
export function middleOf({ from, to }: NumberWindow): number {
  return Math.floor((from + to) / 2);
}

/** Returns a smaller window around a number: one number at the end. */
export function zoomedIn(window: NumberWindow, number: number, last: number): NumberWindow {
  return around(number, sizeOf(window) / ZOOM, last);
}

/** Returns a larger window around a number: all numbers at the end. */
export function zoomedOut(window: NumberWindow, number: number, last: number): NumberWindow {
  return around(number, sizeOf(window) * ZOOM, last);
}

/** Returns the window beside this one. @param direction -1: earlier numbers, 1: later ones */
export function moved(window: NumberWindow, direction: -1 | 1, last: number): NumberWindow {
  const size = sizeOf(window);
  return around(middleOf(window) + direction * size, size, last);
}

/** Returns the window of an address: `101-200`; the newest one for anything else. */
export function windowOf(text: string | undefined, last: number): NumberWindow {
  const [, from = '', to = ''] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  const [first, end] = [Number(from), Math.min(Number(to), last)];
  return first >= 1 && first <= end ? { from: first, to: end } : newestOf(last);
}

/** Returns a window as it is in an address. */
export function windowText({ from, to }: NumberWindow): string {
  return `${from}-${to}`;
}

/** Returns the ranges of a window that the ribbon shows as one cell each, in order. */
export function cellsOf(window: NumberWindow): readonly NumberWindow[] {
  const each = Math.ceil(sizeOf(window) / MOST_CELLS);
  const cells: NumberWindow[] = [];
  for (let from = window.from; from <= window.to; from += each) {
    cells.push({ from, to: Math.min(from + each - 1, window.to) });
  }
  return cells;
}
