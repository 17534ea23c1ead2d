/** Most work of the patterns and formats for one object: characters times the weight of each. About 50 ms at worst. */
export const MOST_TEXT_WORK = 200_000;

/** Thrown when the patterns and formats of a schema have more work with an object than they may. */
export class TextBudgetExceeded extends Error {
  override readonly name = 'TextBudgetExceeded';
}

/**
 * Counts what patterns and formats read of an object while it is validated. No bound of a schema could replace it: most
 * patterns read a text in no time, and some take a thousand times as long.
 */
export class TextBudget {
  private left = 0;

  /** Begins an object. */
  reset(): void {
    this.left = MOST_TEXT_WORK;
  }

  /** @throws TextBudgetExceeded */
  spend(characters: number, weight: number): void {
    this.left -= characters * weight;
    if (this.left < 0) throw new TextBudgetExceeded();
  }
}
