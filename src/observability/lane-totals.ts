import type { LaneTotals, LaneTotalsPage } from './lane-totals-store.js';

/** How long one reading may take, in milliseconds, beside its last page. Some thousand lanes fit. */
const BUDGET_MS = 40;

/** Returns the totals of the page of lanes behind a lane. */
export type ReadTotalsPage = (after: string) => Promise<LaneTotalsPage>;

/**
 * Totals of all lanes, at a bounded cost: a reading visits pages of lanes for `budgetMs`, and the next one continues
 * behind them. The totals are those of the last complete visit of all lanes. Where one reading visits all lanes, which
 * is the case up to some thousand, they are those of the moment.
 */
export class AllLaneTotals {
  private complete: readonly LaneTotals[] | null = null;
  private visited: LaneTotals[] = [];
  private after = '';
  private reading: Promise<readonly LaneTotals[]> | undefined;

  constructor(
    private readonly readPage: ReadTotalsPage,
    private readonly budgetMs: number = BUDGET_MS,
  ) {}

  /**
   * Returns the totals by kind of target, state and mute. The first reading visits all lanes. Calls at the same time
   * share a reading: each page is counted once.
   */
  read(): Promise<readonly LaneTotals[]> {
    this.reading ??= this.visit().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async visit(): Promise<readonly LaneTotals[]> {
    const until = performance.now() + this.budgetMs;
    do {
      const { totals, next } = await this.readPage(this.after);
      this.visited.push(...totals);
      this.after = next ?? '';
      if (next === null) {
        this.complete = merged(this.visited);
        this.visited = [];
      }
    } while (this.after !== '' && (this.complete === null || performance.now() < until));
    return this.complete ?? [];
  }
}

function merged(all: readonly LaneTotals[]): readonly LaneTotals[] {
  const found = new Map<string, LaneTotals>();
  for (const one of all) {
    const key = `${one.targetKind} ${one.state} ${one.isMuted}`;
    const other = found.get(key);
    found.set(key, {
      ...one,
      lanes: one.lanes + (other?.lanes ?? 0),
      pending: one.pending + (other?.pending ?? 0),
      oldestSeconds: Math.max(one.oldestSeconds, other?.oldestSeconds ?? 0),
    });
  }
  return [...found.values()];
}
