import { diffArrays } from 'diff';

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

/** Time after which a comparison ends, in milliseconds. All lines are shown as changed then. */
const LONGEST_MS = 200;

/** Compares two texts line by line: the fewest lines are shown as changed, old and new ones side by side. */
export function diffLines(left: readonly string[], right: readonly string[]): readonly DiffRow[] {
  const parts = diffArrays([...left], [...right], { timeout: LONGEST_MS }) ?? [
    { value: [...left], removed: true, added: false },
    { value: [...right], removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  let [olds, news]: [Line[], Line[]] = [[], []];
  let [oldCount, newCount] = [0, 0];
  const takeChanged = (): void => {
    for (let index = 0; index < Math.max(olds.length, news.length); index += 1) {
      rows.push({ left: olds[index] ?? null, right: news[index] ?? null, isChanged: true });
    }
    [olds, news] = [[], []];
  };
  for (const { value, added, removed } of parts) {
    if (!added && !removed) takeChanged();
    for (const text of value) {
      if (!added) oldCount += 1;
      if (!removed) newCount += 1;
      const [old, now] = [
        { number: oldCount, text },
        { number: newCount, text },
      ];
      if (removed) olds.push(old);
      else if (added) news.push(now);
      else rows.push({ left: old, right: now, isChanged: false });
    }
  }
  takeChanged();
  return rows;
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
