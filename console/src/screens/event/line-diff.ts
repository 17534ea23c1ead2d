/** A line of a text. */
export interface Line {
  /** 1 is the first one. */
  readonly number: number;
  readonly text: string;
}

/** Two lines side by side. Of a line that one text does not have, the other side is null. */
export interface DiffRow {
  readonly left: Line | null;
  readonly right: Line | null;
  readonly isChanged: boolean;
}

/** Most pairs of lines that are compared. Beyond it, all lines between the first and the last change differ. */
const MOST_PAIRS = 4_000_000;

/** Compares two texts line by line: the fewest lines are shown as changed. */
export function diffLines(left: readonly string[], right: readonly string[]): readonly DiffRow[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end += 1;
  }
  const middle = pairsOf(left.slice(start, left.length - end), right.slice(start, right.length - end));
  const pairs: Pair[] = [
    ...range(start).map((index): Pair => [index, index]),
    ...middle.map(([a, b]): Pair => [a + start, b + start]),
    ...range(end).map((index): Pair => [left.length - end + index, right.length - end + index]),
  ];
  return rowsOf(left, right, pairs);
}

/** Indexes of two lines that are the same. */
type Pair = readonly [left: number, right: number];

/** Returns the longest common subsequence of two lists, as pairs of indexes. */
function pairsOf(left: readonly string[], right: readonly string[]): readonly Pair[] {
  if (left.length * right.length > MOST_PAIRS) return [];
  const width = right.length + 1;
  // Length of the longest common subsequence of the ends of both lists.
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      lengths[a * width + b] = left[a] === right[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let a = 0, b = 0; a < left.length && b < right.length;) {
    if (left[a] === right[b]) {
      pairs.push([a, b]);
      a += 1;
      b += 1;
    } else if (at(a + 1, b) >= at(a, b + 1)) {
      a += 1;
    } else {
      b += 1;
    }
  }
  return pairs;
}

/** Returns the rows of both texts: changed lines between two pairs are side by side. */
function rowsOf(left: readonly string[], right: readonly string[], pairs: readonly Pair[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [left.length, right.length] as const]) {
    for (let step = 0; step < Math.max(nextA - a, nextB - b); step += 1) {
      rows.push({
        left: a + step < nextA ? lineOf(left, a + step) : null,
        right: b + step < nextB ? lineOf(right, b + step) : null,
        isChanged: true,
      });
    }
    if (nextA < left.length) rows.push({ left: lineOf(left, nextA), right: lineOf(right, nextB), isChanged: false });
    [a, b] = [nextA + 1, nextB + 1];
  }
  return rows;
}

function lineOf(lines: readonly string[], index: number): Line {
  return { number: index + 1, text: lines[index] ?? '' };
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Rows of a comparison: some that are shown, or some unchanged ones that are folded. */
export interface DiffPart {
  readonly rows: readonly DiffRow[];
  readonly isFolded: boolean;
}

/** Folds unchanged rows that are far from a change. @param context rows that are shown around a change */
export function foldUnchanged(rows: readonly DiffRow[], context = 3): readonly DiffPart[] {
  const near = rows.map(() => false);
  for (const [index, { isChanged }] of rows.entries()) {
    if (isChanged) near.fill(true, Math.max(0, index - context), index + context + 1);
  }
  const parts: { rows: DiffRow[]; isFolded: boolean }[] = [];
  for (const [index, row] of rows.entries()) {
    const isFolded = near[index] === false;
    const last = parts.at(-1);
    if (last?.isFolded === isFolded) last.rows.push(row);
    else parts.push({ rows: [row], isFolded });
  }
  // One row takes the place of the button that would show it.
  return parts.map((part) => (part.rows.length === 1 ? { ...part, isFolded: false } : part));
}
